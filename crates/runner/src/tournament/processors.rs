//! Threads that stay on a processor of their own.

/// Whether this system lets a thread choose its processor.
pub(super) const CAN_PIN: bool = cfg!(target_os = "linux");

/// Keeps this thread, and the processes that it will start, on one of the processors that the program may use: thread 0
/// on the first, and so on in turns. Where that cannot be done nothing happens.
#[cfg(target_os = "linux")]
pub(super) fn pin(thread: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else {
        return;
    };
    let processors: Vec<usize> = (0..CpuSet::MAX_CPU)
        .filter(|processor| allowed.is_set(*processor))
        .collect();
    if let Some(processor) = processors.get(thread % processors.len().max(1)) {
        let mut one = CpuSet::new();
        one.set(*processor);
        let _ = sched_setaffinity(None, &one);
    }
}

/// Keeps this thread on one processor, where that can be done; here it cannot.
#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_thread: usize) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn a_pinned_thread_has_one_processor() {
        let count = std::thread::spawn(|| {
            super::pin(5);
            rustix::thread::sched_getaffinity(None).unwrap().count()
        });
        assert_eq!(count.join().unwrap(), 1);
    }
}
