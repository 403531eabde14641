//! The lines of the files of `policy show`.

use crate::row::rows;

rows! {
    /// A line of reductions.csv of a policy that is shown: a plain quiet move.
    ReductionRow {
        depth: u32 = "Depth", "plies", "remaining depth of the node";
        moves_searched: u32 = "Moves", "moves", "searched before the move";
        plies: i32 = "Plies", "plies", "of reduction; negative: extended";
        other_plies: Option<i32> = "Other plies", "plies", "of reduction by the other policy, where there is one";
    }

    /// A line of parts.csv of a policy that is shown.
    PolicyPart {
        part: String = "Part", "", "`name`, `about`, `parameter` or `rule`";
        name: String = "Name", "", "of the parameter or the rule";
        value: String = "Value", "", "value of the parameter, state of the rule, or a line about the policy";
        min: Option<f64> = "from", "", "least value of the parameter";
        max: Option<f64> = "to", "", "greatest value of the parameter";
    }
}

impl PolicyPart {
    /// The part as a line for people.
    pub fn line(&self) -> String {
        let Self { part, name, value, .. } = self;
        match (part.as_str(), self.min, self.max) {
            ("parameter", Some(min), Some(max)) => format!("parameter {name} = {value} (from {min} to {max})"),
            ("rule", ..) => format!("rule {name} is {value}"),
            _ => value.clone(),
        }
    }
}
