//! Ctrl-C: the first asks a command to end and tell what it has, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first Ctrl-C sets. To be called once in a process.
///
/// # Errors
/// When the system takes no handler.
pub fn watch() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if handler.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    })?;
    Ok(stop)
}
