//! Comparisons that begin, go on and are refused.

use super::*;
use crate::measures::Plan;
use crate::variant::Variant;
use lmrlab_policy::Policy;
use lmrlab_runner::record::folder::MANIFEST;

fn invocation() -> Invocation {
    Invocation {
        version: "1.2.3".to_owned(),
        commit: None,
        command: vec!["lmrlab".to_owned(), "ablate".to_owned()],
    }
}

fn key(job: usize) -> Key {
    Key {
        row: 2,
        measure: "nodes".to_owned(),
        job,
    }
}

fn rows(names: &[&str]) -> Vec<Variant> {
    names.iter().map(|name| Variant::new(*name, Policy::none())).collect()
}

#[test]
fn what_was_kept_is_there_again() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("rows.csv.unfinished");
    let of = Plan::default().comparison(&rows(&["a", "b"]));
    let kept = Kept::begin(&folder, &of, &invocation(), false).unwrap();
    assert_eq!(kept.get::<u64>(&key(0)), None);
    kept.put(key(0), &17_u64);
    kept.put(key(3), &4_u64);
    kept.sync().unwrap();
    assert!(Kept::resume(&folder, &of, &invocation()).is_err(), "another one writes");
    drop(kept);
    assert!(Kept::begin(&folder, &of, &invocation(), false).is_err());

    let (kept, warnings) = Kept::resume(&folder, &of, &invocation()).unwrap();
    assert!(warnings.is_empty());
    assert_eq!(kept.get::<u64>(&key(0)), Some(17));
    assert_eq!(kept.get::<u64>(&key(1)), None);
    assert_eq!(kept.get::<u64>(&key(3)), Some(4));
    kept.put(key(1), &5_u64);
    kept.remove().unwrap();
    assert!(!folder.exists());

    // Another one, for what this process has read it does not replace.
    let folder = dir.path().join("other.csv.unfinished");
    let kept = Kept::begin(&folder, &of, &invocation(), false).unwrap();
    kept.put(key(0), &17_u64);
    drop(kept);
    let kept = Kept::begin(&folder, &of, &invocation(), true).unwrap();
    assert_eq!(kept.get::<u64>(&key(0)), None);
}

#[test]
fn only_the_same_comparison_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("rows.csv.unfinished");
    let of = Plan::default().comparison(&rows(&["a", "b"]));
    drop(Kept::begin(&folder, &of, &invocation(), false).unwrap());
    let refused = |of: Comparison| Kept::resume(&folder, &of, &invocation()).err().unwrap().to_string();
    let mut other = rows(&["a", "b"]);
    other[1].hash_mib += 1;
    let told = refused(Plan::default().comparison(&other));
    assert!(
        told.contains("holds another comparison; what differs: the policy, the preset or --hash"),
        "{told}"
    );
    let told = refused(Plan::default().comparison(&rows(&["a", "x", "b"])));
    assert!(told.contains("what differs: the rows"), "{told}");
    let plan = Plan {
        nodes: Some((Vec::new(), 3)),
        ..Plan::default()
    };
    let told = refused(plan.comparison(&rows(&["a", "b"])));
    assert!(told.contains("what differs: --measures"), "{told}");

    let manifest = folder.join(MANIFEST.name());
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("1.2.3", "1.2.4")).unwrap();
    let told = refused(of);
    assert!(told.contains("was edited"), "{told}");
}
