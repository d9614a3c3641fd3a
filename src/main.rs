//! The `usurper` binary.
fn main() {}
