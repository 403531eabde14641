//! Writes the functions: whether a move is late, its reduction before and after `[finish]`, and how a re-search changes its depth.

use super::expression::{Binding, Piece, Writer, is_parameter, literal};
use super::helper::Helper;
use super::span::Span;
use super::{Language, is_of_this_engine};
use crate::definition::Definition;
use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::typed_tree::{Boolean, Number};
use crate::facts::{Fact, FactSet};
use crate::finish::{Finish, MAX_PLIES, Rounding};
use crate::policy::Policy;
use crate::research::Ladder;
use crate::rule::{Effect, Rule};

/// The widest line of code.
const WIDTH: usize = 116;

/// Lines of code, indented and wrapped.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    depth: usize,
}

impl Code {
    pub(super) fn at_depth(depth: usize) -> Self {
        Self {
            text: String::new(),
            depth,
        }
    }

    /// Appends a line. White space has no meaning in it, so that it can be wrapped.
    pub(super) fn line(&mut self, line: &str) {
        if line.starts_with('}') {
            self.depth = self.depth.saturating_sub(1);
        }
        let indent = "    ".repeat(self.depth);
        let mut current = indent.clone();
        for (index, word) in line.split(' ').enumerate() {
            if current.len() + word.len() > WIDTH && index > 0 {
                self.text.push_str(current.trim_end());
                self.text.push('\n');
                current = format!("{indent}    ");
            }
            current.push_str(word);
            current.push(' ');
        }
        self.text.push_str(current.trim_end());
        self.text.push('\n');
        if line.ends_with('{') {
            self.depth += 1;
        }
    }

    fn comment(&mut self, text: &str) {
        super::comment::write(&mut self.text, &"    ".repeat(self.depth), text);
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }
}

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returned {
    Truth,
    Plies,
    WholePlies,
}

/// A function of the struct of facts.
#[derive(Debug)]
pub(super) struct Function {
    /// Its name, without the prefix.
    pub(super) name: &'static str,
    pub(super) returned: Returned,
    /// The facts that are parameters of it, after the struct.
    pub(super) parameters: Vec<Fact>,
    /// The facts that it reads itself.
    pub(super) read: FactSet,
    pub(super) body: String,
}

impl Function {
    /// Writes a function that starts with `guard`. `body` appends its statements, and `callees` are the functions that these
    /// call.
    fn new(
        writer: &mut Writer<'_>,
        (name, returned): (&'static str, Returned),
        guard: &str,
        callees: &[&Self],
        body: impl FnOnce(&mut Writer<'_>, &mut Code),
    ) -> Self {
        writer.start_function();
        let mut code = Code::at_depth(1);
        body(writer, &mut code);
        let read = writer.read;
        let mut known = read;
        for fact in callees.iter().flat_map(|callee| &callee.parameters) {
            known.insert(*fact);
        }
        // The reduced search is known to the one function that is called after it.
        let of_research = [Fact::Score, Fact::Reduction]
            .into_iter()
            .filter(|_| name == DEPTH_CHANGE);
        let parameters: Vec<Fact> = of_research
            .chain(known.iter().filter(|fact| is_of_this_engine(*fact)))
            .collect();
        let mut all = Code::at_depth(1);
        let reads_struct = read.has_own() || read.iter().any(|fact| !is_parameter(fact) && !fact.is_of_rules());
        if !reads_struct && callees.is_empty() {
            all.line(&unused(writer.language, "facts"));
        }
        for fact in parameters.iter().filter(|fact| !known.contains(**fact)) {
            all.line(&unused(writer.language, fact.info().name));
        }
        all.text.push_str(guard);
        // Only now it is known which facts the body reads.
        for line in writer.locals() {
            all.line(&line);
        }
        all.text.push_str(&code.text);
        Self {
            name,
            returned,
            parameters,
            read,
            body: all.text,
        }
    }

    /// A call from another function.
    fn call(&self, writer: &Writer<'_>) -> String {
        let parameters = self.parameters.iter().map(|fact| format!(", {}", fact.info().name));
        format!(
            "{}(facts{})",
            writer.names.with_prefix(self.name),
            parameters.collect::<String>()
        )
    }
}

/// A statement for a parameter that nothing reads.
fn unused(language: Language, name: &str) -> String {
    match language {
        Language::C => format!("(void){name};"),
        Language::Rust => format!("let _ = {name};"),
    }
}

/// The last statement of a function.
fn result(language: Language, value: &str) -> String {
    match language {
        Language::C => format!("return {value};"),
        Language::Rust => value.to_owned(),
    }
}

/// The names of the functions, without the prefix.
pub(super) const IS_LATE: &str = "is_late";
pub(super) const PLIES: &str = "plies";
pub(super) const REDUCTION: &str = "reduction";
pub(super) const DEPTH_CHANGE: &str = "depth_change";

/// Writes the functions, in the order of their calls.
pub(super) fn functions(writer: &mut Writer<'_>, policy: &Policy) -> Vec<Function> {
    let definition = policy.definition();
    let language = writer.language;
    let is_late = Function::new(writer, (IS_LATE, Returned::Truth), "", &[], |writer, code| {
        let when = writer.boolean(&definition.when);
        flush(writer, code);
        code.line(&result(language, &when.text));
    });
    let always = definition.when == Boolean::Constant(true);
    let if_late = |writer: &Writer<'_>, otherwise: &str| {
        let mut code = Code::at_depth(1);
        if !always {
            code.line(&if_line(language, &format!("!{}", is_late.call(writer))));
            code.line(&format!("return {otherwise};"));
            code.line("}");
        }
        code.text
    };
    let callees: &[&Function] = if always { &[] } else { &[&is_late] };
    let mut span = Span::ANY;
    let guard = if_late(writer, "0.0");
    let plies = Function::new(writer, (PLIES, Returned::Plies), &guard, callees, |writer, code| {
        let enabled: Vec<&Rule> = (definition.rules.iter().zip(policy.rules()))
            .filter_map(|(rule, info)| info.enabled.then_some(rule))
            .collect();
        span = sum(writer, code, definition, &enabled);
    });
    let guard = if_late(writer, "0");
    let reduction = Function::new(
        writer,
        (REDUCTION, Returned::WholePlies),
        &guard,
        &[&is_late, &plies],
        |writer, code| {
            let plies = plies.call(writer);
            finish(writer, code, &definition.finish, (&plies, span));
        },
    );
    let mut functions = vec![is_late, plies, reduction];
    if policy.research().ladder == Ladder::ByScore {
        let conditions = [
            (&definition.deeper, "change += 1;"),
            (&definition.shallower, "change -= 1;"),
        ];
        functions.push(Function::new(
            writer,
            (DEPTH_CHANGE, Returned::WholePlies),
            "",
            &[],
            |writer, code| {
                code.line(match language {
                    Language::C => "int change = 0;",
                    Language::Rust => "let mut change = 0;",
                });
                for (condition, statement) in conditions {
                    if let Some(condition) = condition {
                        let condition = writer.boolean(condition);
                        flush(writer, code);
                        code.line(&if_line(language, &condition.text));
                        code.line(statement);
                        code.line("}");
                    }
                }
                code.line(&result(language, "change"));
            },
        ));
    }
    functions
}

/// Writes the reduction before `[finish]`; returns its bounds.
fn sum(writer: &mut Writer<'_>, code: &mut Code, definition: &Definition, rules: &[&Rule]) -> Span {
    let (language, scale) = (writer.language, definition.finish.scale);
    let base = writer.number(&definition.reduce);
    flush(writer, code);
    let scaled = |sum: &Piece| match scale == 1.0 {
        true => result(language, &sum.text),
        false => result(
            language,
            &format!("{} * {}", sum.at(Binding::Product), parenthesized(scale)),
        ),
    };
    let span = if rules.is_empty() {
        code.line(&scaled(&base));
        base.span
    } else {
        if scale != 1.0 {
            code.comment("In the policy's own unit.");
        }
        code.line(&match language {
            Language::C => format!("double plies = {};", base.text),
            Language::Rust => format!("let mut plies: f64 = {};", base.text),
        });
        let span = self::rules(writer, code, rules, base.span);
        code.gap();
        code.line(&scaled(&Piece::variable("plies", span)));
        span
    };
    match scale == 1.0 {
        true => span,
        false => span.times(Span::of(scale)),
    }
}

/// Writes what hoisted expressions need before the statement.
fn flush(writer: &mut Writer<'_>, code: &mut Code) {
    for line in writer.before.drain(..) {
        code.line(&line);
    }
}

fn if_line(language: Language, condition: &str) -> String {
    match language {
        Language::C => format!("if ({condition}) {{"),
        Language::Rust => format!("if {condition} {{"),
    }
}

/// Writes the rules; returns the bounds of the reduction after them.
fn rules(writer: &mut Writer<'_>, code: &mut Code, rules: &[&Rule], mut span: Span) -> Span {
    let stops = rules.iter().any(|rule| rule.stop);
    if stops {
        code.gap();
        code.comment("A rule that stops leaves this block.");
        code.line(match writer.language {
            Language::C => "do {",
            Language::Rust => "'rules: {",
        });
    }
    // The bounds where a rule has stopped.
    let mut stopped: Option<Span> = None;
    for (index, rule) in rules.iter().enumerate() {
        if !stops || index > 0 {
            code.gap();
        }
        let after = self::rule(writer, code, rule, span);
        span = after.span;
        if rule.stop {
            stopped = Some(stopped.map_or(after.held, |stopped| stopped.or(after.held)));
            if rule.when == Boolean::Constant(true) {
                break;
            }
        }
    }
    if stops {
        code.line(match writer.language {
            Language::C => "} while (0);",
            Language::Rust => "}",
        });
    }
    stopped.map_or(span, |stopped| span.or(stopped))
}

/// The bounds of a reduction after a rule.
struct After {
    span: Span,
    /// Where its condition holds.
    held: Span,
}

fn rule(writer: &mut Writer<'_>, code: &mut Code, rule: &Rule, before: Span) -> After {
    let always = rule.when == Boolean::Constant(true);
    let mut read = FactSet::default();
    rule.when.collect_facts(&mut read);
    for effect in [&rule.effect, &rule.otherwise].into_iter().flatten() {
        effect.amount().collect_facts(&mut read);
    }
    if let Some(cap) = &rule.cap {
        cap.collect_facts(&mut read);
    }
    writer.so_far = before;
    let condition = writer.boolean(&rule.when);
    let (mut lines, mut held) = effect(writer, rule.effect.as_ref(), before);
    if let Some(cap) = &rule.cap {
        let cap = writer.number(cap);
        let least = writer.binary(Binary::Minimum, &Piece::variable("plies", held), &cap);
        lines.push(format!("plies = {};", least.text));
        held = least.span;
    }
    if rule.stop {
        if rule.effect == Some(Effect::Add(Number::Constant(0.0))) && rule.cap.is_none() {
            // Such a rule only stops.
            lines.clear();
        }
        lines.push(match writer.language {
            Language::C => "break;".to_owned(),
            Language::Rust => "break 'rules;".to_owned(),
        });
    }
    let otherwise = rule.otherwise.as_ref().filter(|_| !always);
    let has_other = otherwise.is_some();
    let (otherwise, other) = effect(writer, otherwise, before);
    code.comment(&format!("Rule {}.", rule.name));
    let block = read.contains(Fact::SoFar) || (!writer.before.is_empty() && !always);
    if block {
        code.line("{");
    }
    if read.contains(Fact::SoFar) {
        code.line(&format!("{} so_far = plies;", writer.float_keyword()));
    }
    flush(writer, code);
    if !always {
        code.line(&if_line(writer.language, &condition.text));
    }
    for line in lines {
        code.line(&line);
    }
    if !always {
        if has_other {
            // One line in both languages: it closes a block and opens another.
            code.line("}");
            trim_newline(&mut code.text);
            code.text.push_str(" else {\n");
            code.depth += 1;
            for line in otherwise {
                code.line(&line);
            }
        }
        code.line("}");
    }
    if block {
        code.line("}");
    }
    After {
        span: if always { held } else { held.or(other) },
        held,
    }
}

fn trim_newline(text: &mut String) {
    text.truncate(text.trim_end_matches('\n').len());
}

/// The statements of an effect, and the bounds of the reduction after them.
fn effect(writer: &mut Writer<'_>, effect: Option<&Effect>, before: Span) -> (Vec<String>, Span) {
    let plies = Piece::variable("plies", before);
    let Some(effect) = effect else {
        return (Vec::new(), before);
    };
    let (operation, sign, number): (_, _, &Number) = match effect {
        Effect::Set(number) => {
            let amount = writer.number(number);
            return (vec![format!("plies = {};", amount.text)], amount.span);
        }
        // The same to the last bit, and easier to read.
        Effect::Add(Number::Unary(Unary::Negate, number)) => (Binary::Subtract, "-=", number),
        Effect::Add(number) => (Binary::Add, "+=", number),
        Effect::Multiply(number) => (Binary::Multiply, "*=", number),
    };
    let amount = writer.number(number);
    let result = writer.binary(operation, &plies, &amount);
    let line = if result.text.starts_with("plies ") {
        format!("plies {sign} {};", amount.text)
    } else {
        format!("plies = {};", result.text)
    };
    (vec![line], result.span)
}

fn finish(writer: &mut Writer<'_>, code: &mut Code, finish: &Finish, (plies_call, span): (&str, Span)) {
    let language = writer.language;
    let limit = f64::from(MAX_PLIES);
    let keyword = writer.float_keyword();
    if span.greatest() > limit {
        let raised = writer.call(Helper::Maximum, &[plies_call, &literal(-limit)]);
        let lowered = writer.call(Helper::Minimum, &[&raised, &literal(limit)]);
        code.line(&format!("{keyword} plies = {lowered};"));
    } else {
        code.line(&format!("{keyword} plies = {plies_call};"));
    }
    match language {
        Language::C => code.line("int whole = (int)plies;"),
        Language::Rust => code.line("let mut whole = plies as i32;"),
    }
    let float = |name: &str| match language {
        Language::C => name.to_owned(),
        Language::Rust => format!("f64::from({name})"),
    };
    let change = |code: &mut Code, condition: &str, statement: &str| {
        code.line(&if_line(language, condition));
        code.line(statement);
        code.line("}");
    };
    match finish.round {
        Rounding::Truncate => {}
        Rounding::Floor => change(code, &format!("plies < {}", float("whole")), "whole -= 1;"),
        Rounding::Ceiling => change(code, &format!("plies > {}", float("whole")), "whole += 1;"),
        Rounding::Nearest => {
            let whole = float("whole");
            code.line(&format!("{} rest = plies - {whole};", writer.float_keyword()));
            change(code, "rest >= 0.5", "whole += 1;");
            change(code, "rest <= -0.5", "whole -= 1;");
        }
    }
    change(
        code,
        &format!("whole < {}", finish.min),
        &format!("whole = {};", finish.min),
    );
    if let Some(most) = finish.max {
        change(code, &format!("whole > {most}"), &format!("whole = {most};"));
    }
    for (most, fact) in [
        (finish.max_at_root, Fact::Root),
        (finish.max_in_pv, Fact::Pv),
        (finish.max_if_extended, Fact::Extended),
    ] {
        if let Some(most) = most {
            writer.read.insert(fact);
            let field = writer.field(fact);
            change(code, &format!("{field} && whole > {most}"), &format!("whole = {most};"));
        }
    }
    for fact in [Fact::Depth, Fact::Extended, Fact::Extension] {
        writer.read.insert(fact);
    }
    code.gap();
    code.comment(&format!(
        "The reduced search, the extension included, keeps at least {}.",
        plies(finish.floor)
    ));
    let field = |fact| writer.field(fact);
    let room = match 1 + finish.floor {
        0 => field(Fact::Depth),
        less if less > 0 => format!("{} - {less}", field(Fact::Depth)),
        more => format!("{} + {}", field(Fact::Depth), -more),
    };
    code.line(&if_line(language, "whole > 0"));
    match language {
        Language::C => code.line(&format!("int room = {room};")),
        Language::Rust => code.line(&format!("let mut room = {room};")),
    }
    change(
        code,
        &field(Fact::Extended),
        &format!("room += {};", field(Fact::Extension)),
    );
    change(code, "room < 0", "room = 0;");
    change(code, "whole > room", "whole = room;");
    code.line("}");
    if finish.pv_bonus > 0 {
        writer.read.insert(Fact::Pv);
        let pv = writer.field(Fact::Pv);
        code.line(&if_line(language, &pv));
        code.line(&format!("whole -= {};", finish.pv_bonus));
        code.line("}");
    }
    code.line(&result(language, "whole"));
}

/// A number of plies in words.
fn plies(count: i32) -> String {
    match count {
        1 => "1 ply".to_owned(),
        count => format!("{count} plies"),
    }
}

fn parenthesized(value: f64) -> String {
    if value < 0.0 {
        format!("({})", literal(value))
    } else {
        literal(value)
    }
}
