//! Threads that stay on a processor of their own.

/// Whether this system lets a thread choose its processor.
pub(crate) const CAN_PIN: bool = cfg!(target_os = "linux");

/// Whether each thread stays on a processor of its own by default. It does when there are enough processors, programs
/// take part, and time does not count. The reason: a program that waits for its runner wakes much faster on the
/// runner's processor. Programs with several threads are not pinned: their threads would share one processor.
///
/// `programs` has the options of each program, by name and value.
pub(crate) fn should_pin<'p>(
    one_for_each: bool,
    time_counts: bool,
    programs: impl Iterator<Item = &'p [(String, String)]>,
) -> bool {
    let mut programs = programs.peekable();
    let threads = |options: &[(String, String)]| {
        let mut options = options.iter();
        options.any(|(name, value)| name.eq_ignore_ascii_case("Threads") && value != "1")
    };
    one_for_each && !time_counts && programs.peek().is_some() && !programs.any(threads)
}

/// Keeps this thread, and the processes that it will start, on one of the processors of the program: thread 0 on the
/// first, and so on in turns. Does nothing where the system does not allow it.
#[cfg(target_os = "linux")]
pub(crate) fn pin(thread: usize) {
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
pub(crate) fn pin(_thread: usize) {}

#[cfg(test)]
mod tests {
    #[test]
    fn programs_that_wait_for_their_runner_stay_with_it() {
        let options = |given: &[(&str, &str)]| -> Vec<(String, String)> {
            let given = given.iter();
            given
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let (one, many) = (options(&[("threads", "1")]), options(&[("Threads", "2")]));
        let should = |one_for_each, time_counts, programs: &[&Vec<(String, String)>]| {
            let programs = programs.iter().map(|options| options.as_slice());
            super::should_pin(one_for_each, time_counts, programs)
        };
        assert!(should(true, false, &[&one, &options(&[])]));
        assert!(!should(true, false, &[]));
        assert!(!should(false, false, &[&one]));
        assert!(!should(true, true, &[&one]));
        assert!(!should(true, false, &[&one, &many]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pinned_thread_has_one_processor() {
        let count = std::thread::spawn(|| {
            super::pin(5);
            rustix::thread::sched_getaffinity(None).unwrap().count()
        });
        assert_eq!(count.join().unwrap(), 1);
    }
}
