//! A reference interpreter: it walks over the expressions of a scheme, as the documentation of the language says, and makes
//! nothing fast.

use lmrlab_host::runtime::arithmetic::{Binary, Unary};
use lmrlab_host::runtime::finish::{Finish, Rounding};
use lmrlab_host::runtime::{Effect, Expression, Scheme};
use lmrlab_policy::facts::{Fact, Facts};

/// Computes what a scheme says about a move.
pub(crate) struct Interpreter<'s, F> {
    pub(crate) scheme: &'s Scheme,
    pub(crate) facts: &'s F,
}

impl<F: Facts> Interpreter<'_, F> {
    /// The reduction in plies, `None` when the move is not late; and the plies before rounding, 0 when it is not late.
    pub(crate) fn reduction(&self) -> (Option<i32>, f64) {
        if !self.holds(&self.scheme.when, 0.0) {
            return (None, 0.0);
        }
        let mut plies = self.value(&self.scheme.reduce, 0.0);
        for rule in self.scheme.rules.iter().filter(|rule| rule.enabled) {
            let so_far = plies;
            let holds = self.holds(&rule.when, so_far);
            let effect = if holds { &rule.effect } else { &rule.otherwise };
            if let Some((effect, amount)) = effect {
                let amount = self.value(amount, so_far);
                plies = match effect {
                    Effect::Add => finite(plies + amount),
                    Effect::Multiply => finite(plies * amount),
                    Effect::Set => amount,
                };
            }
            if let Some(cap) = rule.cap.as_ref().filter(|_| holds) {
                plies = plies.min(self.value(cap, so_far));
            }
            if holds && rule.stop {
                break;
            }
        }
        let finish = &self.scheme.finish;
        (Some(self.finished(plies, finish)), finite(plies * finish.scale))
    }

    /// The change of the full depth after the reduced search.
    pub(crate) fn depth_change(&self) -> i32 {
        let holds = |condition: &Option<Expression>| {
            let holds = condition.as_ref().is_some_and(|condition| self.holds(condition, 0.0));
            i32::from(holds)
        };
        holds(&self.scheme.deeper) - holds(&self.scheme.shallower)
    }

    fn finished(&self, plies: f64, finish: &Finish) -> i32 {
        let scaled = (plies * finish.scale).clamp(-256.0, 256.0);
        let rounded = match finish.round {
            Rounding::Truncate => scaled.trunc(),
            Rounding::Floor => scaled.floor(),
            Rounding::Ceiling => scaled.ceil(),
            Rounding::Nearest => scaled.round(),
        };
        let mut whole = (rounded as i32).max(finish.min);
        for (limit, applies) in [
            (finish.max, true),
            (finish.max_at_root, self.facts.boolean(Fact::Root)),
            (finish.max_in_pv, self.facts.boolean(Fact::Pv)),
            (finish.max_if_extended, self.facts.boolean(Fact::Extended)),
        ] {
            whole = limit.filter(|_| applies).map_or(whole, |limit| whole.min(limit));
        }
        if whole > 0 {
            let extension = if self.facts.boolean(Fact::Extended) {
                self.facts.number(Fact::Extension)
            } else {
                0.0
            };
            let room = self.facts.number(Fact::Depth).trunc() - 1.0 + extension.trunc() - f64::from(finish.floor);
            whole = whole.min(room.clamp(0.0, 1e6) as i32);
        }
        whole
            - if self.facts.boolean(Fact::Pv) {
                finish.pv_bonus
            } else {
                0
            }
    }

    fn holds(&self, expression: &Expression, so_far: f64) -> bool {
        self.value(expression, so_far) != 0.0
    }

    fn value(&self, expression: &Expression, so_far: f64) -> f64 {
        let value = |part: &Expression| self.value(part, so_far);
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match expression {
            Expression::Constant(value) => *value,
            Expression::Fact(Fact::SoFar) => so_far,
            Expression::Fact(fact) if fact.is_boolean() => truth(self.facts.boolean(*fact)),
            Expression::Fact(fact) => self.facts.number(*fact),
            Expression::Parameter(index) => self.scheme.parameters[*index].value,
            Expression::Unary(operation, x) => unary(*operation, value(x)),
            Expression::Binary(operation, x, y) => binary(*operation, value(x), value(y)),
            Expression::And(terms) => truth(terms.iter().all(|term| value(term) != 0.0)),
            Expression::Or(terms) => truth(terms.iter().any(|term| value(term) != 0.0)),
            Expression::If(parts) if value(&parts[0]) != 0.0 => value(&parts[1]),
            Expression::If(parts) => value(&parts[2]),
            Expression::Steps(x, steps) => {
                let x = value(x);
                let mut reached = steps.iter().filter(|(threshold, _)| x >= value(threshold));
                reached.next_back().map_or(0.0, |(_, step)| value(step))
            }
            Expression::Table(grid, place) => {
                let cut = |x: f64, count: usize| x.clamp(0.0, (count - 1) as f64) as usize;
                let columns = grid.columns();
                let row = cut(value(&place[0]), grid.cells().len() / columns);
                grid.cells()[row * columns + cut(value(&place[1]), columns)]
            }
            other => panic!("{other:?}"),
        }
    }
}

fn unary(operation: Unary, x: f64) -> f64 {
    match operation.name() {
        "neg" => -x,
        "not" if x == 0.0 => 1.0,
        "not" => 0.0,
        "abs" => x.abs(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "round" => x.round(),
        "trunc" => x.trunc(),
        "exp" => finite(libm::exp(x)),
        _ if x <= 0.0 => 0.0,
        "sqrt" => x.sqrt(),
        "ln" => libm::log(x),
        "log2" => libm::log2(x),
        other => panic!("{other}"),
    }
}

fn binary(operation: Binary, x: f64, y: f64) -> f64 {
    let holds = match operation.name() {
        "+" => return finite(x + y),
        "-" => return finite(x - y),
        "*" => return finite(x * y),
        "/" | "%" if y == 0.0 => return 0.0,
        "/" => return finite(x / y),
        "%" => return x % y,
        "min" => return x.min(y),
        "max" => return x.max(y),
        "pow" if x == 0.0 && y < 0.0 => return 0.0,
        "pow" => return finite(libm::pow(x, y)),
        "<" => x < y,
        "<=" => x <= y,
        ">" => x > y,
        ">=" => x >= y,
        "==" => x == y,
        "!=" => x != y,
        other => panic!("{other}"),
    };
    f64::from(u8::from(holds))
}

/// NaN becomes 0, an infinity the largest number of its sign.
fn finite(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(f64::MIN, f64::MAX) }
}
