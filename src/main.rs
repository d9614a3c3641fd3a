//! The `usurper` binary: all it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Silent unless RUST_LOG asks for more; standard output belongs to the protocol.
    env_logger::Builder::new()
        .filter_level(log::LevelFilter::Off)
        .parse_default_env()
        .target(env_logger::Target::Stderr)
        .init();
    usurper::cli::run()
}
