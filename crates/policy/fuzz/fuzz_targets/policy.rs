//! Reads bytes as a policy file, compiles it, shows it and asks it about moves. It must not panic, hang or exhaust the stack.
//!
//!     mkdir -p corpus/policy && cp ../../configs/policies/*.toml corpus/policy     # from crates/policy/fuzz
//!     cargo +nightly fuzz run policy -- -max_len=16384 -timeout=5 -max_total_time=600
//!
//! Without a nightly toolchain: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none policy`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lmrlab_diagnostics::Source;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags};

/// A move about which every fact is made from one number.
struct Move(u64);

impl Move {
    fn mixed(&self, fact: Fact) -> u64 {
        let mut x = self.0 ^ (fact as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x ^= x >> 29;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ (x >> 32)
    }
}

impl Facts for Move {
    fn flags(&self) -> Flags {
        CATALOGUE
            .iter()
            .filter(|info| info.fact.is_flag())
            .fold(Flags::NONE, |flags, info| {
                flags.with(info.fact, self.boolean(info.fact))
            })
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.mixed(fact) & 1 != 0
    }

    fn number(&self, fact: Fact) -> f64 {
        let random = self.mixed(fact);
        match fact {
            Fact::Depth | Fact::MoveNumber | Fact::MovesSearched => (random % 80) as f64,
            _ => (random % 65_536) as f64 - 32_768.0,
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Policy::compile(Source::new("fuzz.toml", text)) {
        Ok((policy, warnings)) => {
            let _ = warnings.render(false);
            for seed in 0..16 {
                let facts = Move(seed);
                let plies = policy.reduction(&facts);
                assert!(plies.abs() <= 512, "{plies}");
                let explained = policy.explain(&facts).map_or(0, |explained| explained.plies);
                assert_eq!(plies, explained);
                let _ = policy.depth_change(&facts);
            }
            let again = Policy::compile(Source::new("again.toml", policy.text()));
            assert_eq!(again.map(|(policy, _)| policy.hash()).ok(), Some(policy.hash()));
        }
        Err(wrong) => {
            assert!(!wrong.list.is_empty());
            assert!(!wrong.render(true).is_empty());
        }
    }
});
