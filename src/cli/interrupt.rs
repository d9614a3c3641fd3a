//! Ctrl-C: the first asks a command to end and tell what it has, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A signal that follows the first so soon is the same wish: `timeout -s INT` sends two, to the process and to its group.
const ECHO: Duration = Duration::from_millis(300);

/// A flag that the first Ctrl-C sets. To be called once in a process.
///
/// # Errors
/// When the system takes no handler.
pub fn watch() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&stop);
    let mut first = None;
    ctrlc::set_handler(move || {
        handler.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ECHO {
            std::process::exit(1);
        }
    })?;
    Ok(stop)
}
