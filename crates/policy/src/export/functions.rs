//! Writes the functions: whether a move is late, its reduction before and after `[finish]`, and how a re-search changes its depth.

use lmrlab_host::runtime::arithmetic::{Binary, Unary};
use lmrlab_host::runtime::finish::{Finish, MAX_PLIES};
use lmrlab_host::runtime::{Effect, Expression, Rule};

use super::printer::{Binding, Piece, Printer, is_parameter, literal};
use super::spelling::Code;
use super::template::filled;
use super::{Language, is_of_this_engine};
use crate::facts::{Fact, FactSet};
use crate::policy::Policy;
use crate::research::Ladder;

/// A function of the struct of facts.
#[derive(Debug)]
pub(super) struct Function {
    /// Its name, without the prefix.
    pub(super) name: &'static str,
    /// The type that it returns, in C and in Rust.
    pub(super) returned: [&'static str; 2],
    /// The facts that are parameters of it, after the struct.
    pub(super) parameters: Vec<Fact>,
    /// The facts that it reads itself.
    pub(super) read: FactSet,
    pub(super) body: String,
}

/// The names of the functions, without the prefix.
pub(super) const IS_LATE: &str = "is_late";
pub(super) const PLIES: &str = "plies";
pub(super) const REDUCTION: &str = "reduction";
pub(super) const DEPTH_CHANGE: &str = "depth_change";

/// The types of whole plies.
const WHOLE: [&str; 2] = ["int", "i32"];

impl Function {
    /// Writes a function that starts with `guard`. `body` appends its statements, and `callees` are the functions that these
    /// call.
    fn new(
        printer: &mut Printer<'_>,
        (name, returned): (&'static str, [&'static str; 2]),
        guard: &str,
        callees: &[&Self],
        body: impl FnOnce(&mut Printer<'_>, &mut Code),
    ) -> Self {
        let language = printer.language;
        printer.start_function();
        let mut code = Code::new(language);
        body(printer, &mut code);
        let read = printer.read;
        let mut known = read;
        for fact in callees.iter().flat_map(|callee| &callee.parameters) {
            known.insert(*fact);
        }
        // The reduced search is known to the one function that is called after it.
        let of_research = [Fact::Score, Fact::Reduction]
            .into_iter()
            .filter(|_| name == DEPTH_CHANGE);
        let of_this_engine = known.iter().filter(|fact| is_of_this_engine(*fact));
        let parameters: Vec<Fact> = of_research.chain(of_this_engine).collect();
        let mut all = Code::new(language);
        let reads_struct = read.has_own() || read.iter().any(|fact| !is_parameter(fact) && !fact.is_of_rules());
        if !reads_struct && callees.is_empty() {
            all.line(&language.unused("facts"));
        }
        for fact in parameters.iter().filter(|fact| !known.contains(**fact)) {
            all.line(&language.unused(fact.name()));
        }
        all.text.push_str(guard);
        // Only now it is known which facts the body reads.
        for line in printer.locals() {
            all.line(&line);
        }
        Self {
            name,
            returned,
            parameters,
            read,
            body: all.text + &code.text,
        }
    }

    /// A call from another function.
    fn call(&self, printer: &Printer<'_>) -> String {
        let parameters = self.parameters.iter().map(|fact| format!(", {}", fact.name()));
        let name = printer.names.with_prefix(self.name);
        format!("{name}(facts{})", parameters.collect::<String>())
    }
}

/// Writes the functions, in the order of their calls.
pub(super) fn functions(printer: &mut Printer<'_>, policy: &Policy) -> Vec<Function> {
    let (scheme, language) = (policy.scheme(), printer.language);
    let is_late = Function::new(printer, (IS_LATE, ["bool"; 2]), "", &[], |printer, code| {
        let when = printer.boolean(&scheme.when);
        flush(printer, code);
        code.line(&language.result(&when.text));
    });
    let always = scheme.when == Expression::TRUE;
    let if_late = |printer: &Printer<'_>, otherwise: &str| {
        let mut code = Code::new(language);
        if !always {
            code.when(&format!("!{}", is_late.call(printer)), &format!("return {otherwise};"));
        }
        code.text
    };
    let callees: &[&Function] = if always { &[] } else { &[&is_late] };
    let guard = if_late(printer, "0.0");
    let plies = Function::new(printer, (PLIES, ["double", "f64"]), &guard, callees, |printer, code| {
        sum(printer, code, &policy.rules_in_force());
    });
    let guard = if_late(printer, "0");
    let of_reduction = &[&is_late, &plies];
    let reduction = Function::new(printer, (REDUCTION, WHOLE), &guard, of_reduction, |printer, code| {
        let plies = plies.call(printer);
        finish(printer, code, &scheme.finish, &plies);
    });
    let mut functions = vec![is_late, plies, reduction];
    if policy.research().ladder == Ladder::ByScore {
        functions.push(Function::new(
            printer,
            (DEPTH_CHANGE, WHOLE),
            "",
            &[],
            |printer, code| {
                code.line(language.pick("int change = 0;", "let mut change = 0;"));
                let conditions = [(&scheme.deeper, "change += 1;"), (&scheme.shallower, "change -= 1;")];
                for (condition, statement) in conditions {
                    if let Some(condition) = condition {
                        let condition = printer.boolean(condition);
                        flush(printer, code);
                        code.when(&condition.text, statement);
                    }
                }
                code.line(&language.result("change"));
            },
        ));
    }
    functions
}

/// Writes the reduction before `[finish]`.
fn sum(printer: &mut Printer<'_>, code: &mut Code, rules: &[&Rule]) {
    let (language, scale) = (printer.language, printer.scheme.finish.scale);
    let mut sum = printer.expression(&printer.scheme.reduce);
    flush(printer, code);
    if !rules.is_empty() {
        if scale != 1.0 {
            code.comment("In the policy's own unit.");
        }
        let variable = language.pick("double plies", "let mut plies: f64");
        code.line(&format!("{variable} = {};", sum.text));
        self::rules(printer, code, rules);
        code.gap();
        sum = Piece::name("plies");
    }
    code.line(&match scale {
        1.0 => language.result(&sum.text),
        _ => {
            let factor = match scale < 0.0 {
                true => format!("({})", literal(scale)),
                false => literal(scale),
            };
            language.result(&format!("{} * {factor}", sum.at(Binding::Product)))
        }
    });
}

/// Writes what hoisted expressions need before the statement.
fn flush(printer: &mut Printer<'_>, code: &mut Code) {
    for line in printer.before.drain(..) {
        code.line(&line);
    }
}

fn rules(printer: &mut Printer<'_>, code: &mut Code, rules: &[&Rule]) {
    let language = printer.language;
    let stops = rules.iter().any(|rule| rule.stop);
    if stops {
        code.gap();
        code.comment("A rule that stops leaves this block.");
        code.line(language.pick("do {", "'rules: {"));
    }
    for (index, rule) in rules.iter().enumerate() {
        if !stops || index > 0 {
            code.gap();
        }
        self::rule(printer, code, rule);
        if rule.stop && rule.when == Expression::TRUE {
            break;
        }
    }
    if stops {
        code.line(language.pick("} while (0);", "}"));
    }
}

fn rule(printer: &mut Printer<'_>, code: &mut Code, rule: &Rule) {
    let language = printer.language;
    let always = rule.when == Expression::TRUE;
    let condition = printer.boolean(&rule.when);
    let mut lines = effect(printer, rule.effect.as_ref());
    if let Some(cap) = &rule.cap {
        let cap = printer.expression(cap);
        let least = printer.binary(Binary::Minimum, &Piece::name("plies"), &cap);
        lines.push(format!("plies = {};", least.text));
    }
    if rule.stop {
        if rule.effect == Some((Effect::Add, Expression::Constant(0.0))) && rule.cap.is_none() {
            // Such a rule only stops.
            lines.clear();
        }
        lines.push(language.pick("break;", "break 'rules;").to_owned());
    }
    let otherwise = effect(printer, rule.otherwise.as_ref().filter(|_| !always));
    code.comment(&format!("Rule {}.", rule.name));
    let reads_so_far = rule.facts().contains(Fact::SoFar);
    let block = reads_so_far || (!printer.before.is_empty() && !always);
    if block {
        code.line("{");
    }
    if reads_so_far {
        code.line(&format!("{} so_far = plies;", language.constant()));
    }
    flush(printer, code);
    if !always {
        code.line(&language.if_line(&condition.text));
    }
    lines.iter().for_each(|line| code.line(line));
    if !otherwise.is_empty() {
        // One line in both languages: it closes a block and opens another.
        code.line("} else {");
        otherwise.iter().for_each(|line| code.line(line));
    }
    for _ in 0..usize::from(!always) + usize::from(block) {
        code.line("}");
    }
}

/// The statements of an effect.
fn effect(printer: &mut Printer<'_>, effect: Option<&(Effect, Expression)>) -> Vec<String> {
    let Some((effect, amount)) = effect else {
        return Vec::new();
    };
    let (operation, amount) = match (effect, amount) {
        (Effect::Set, amount) => {
            let amount = printer.expression(amount);
            return vec![format!("plies = {};", amount.text)];
        }
        // The same to the last bit, and easier to read.
        (Effect::Add, Expression::Unary(Unary::Negate, number)) => (Binary::Subtract, &**number),
        (Effect::Add, amount) => (Binary::Add, amount),
        (Effect::Multiply, amount) => (Binary::Multiply, amount),
    };
    let amount = printer.expression(amount);
    vec![format!("plies {}= {};", operation.name(), amount.text)]
}

/// Writes the last function, from its template.
fn finish(printer: &mut Printer<'_>, code: &mut Code, finish: &Finish, plies: &str) {
    let language = printer.language;
    let [least, most] = [-MAX_PLIES, MAX_PLIES].map(|plies| literal(f64::from(plies)));
    let plies = match language {
        Language::C => {
            let raised = printer.call("max", &[plies, &least]);
            printer.call("min", &[&raised, &most])
        }
        Language::Rust => format!("{plies}.clamp({least}, {most})"),
    };
    let mut holds = vec![language.pick("c", "rust"), finish.round.name()];
    let limits = ["max_at_root", "max_in_pv", "max_if_extended"]
        .into_iter()
        .zip(finish.limits());
    let limits: Vec<_> = limits.map(|(key, (most, fact))| (key, most, Some(fact))).collect();
    let mut values = vec![
        ("let", language.constant().to_owned()),
        ("plies", plies),
        ("whole", language.pick("whole", "f64::from(whole)").to_owned()),
        ("min", finish.min.to_string()),
        ("floor", finish.floor.to_string()),
        (
            "plies_of_floor",
            if finish.floor == 1 { "ply" } else { "plies" }.to_owned(),
        ),
        ("pv_bonus", finish.pv_bonus.to_string()),
        ("result", language.result("whole")),
    ];
    for (key, most, fact) in [("max", finish.max, None)].into_iter().chain(limits) {
        let Some(most) = most else { continue };
        holds.push(key);
        values.push((key, most.to_string()));
        printer.read.extend(fact);
    }
    printer.read.extend([Fact::Depth, Fact::Extended, Fact::Extension]);
    if finish.pv_bonus > 0 {
        holds.push("pv_bonus");
        printer.read.insert(Fact::Pv);
    }
    let depth = printer.field(Fact::Depth);
    let room = match 1 + finish.floor {
        0 => depth,
        less if less > 0 => format!("{depth} - {less}"),
        more => format!("{depth} + {}", -more),
    };
    values.push(("room", room));
    let facts = [Fact::Root, Fact::Pv, Fact::Extended, Fact::Extension];
    values.extend(facts.map(|fact| (fact.name(), printer.field(fact))));
    for line in filled(include_str!("finish.txt"), &holds, &values).lines() {
        match (line.strip_prefix("if "), line.strip_prefix("// ")) {
            (Some(line), _) => match line.split_once(": ") {
                Some((condition, statement)) => code.when(condition, statement),
                None => code.line(&language.if_line(line)),
            },
            (_, Some(comment)) => code.comment(comment),
            _ if line.is_empty() => code.gap(),
            _ => code.line(line),
        }
    }
}
