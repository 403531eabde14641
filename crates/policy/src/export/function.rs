//! Writes the function that returns the reduction.

use super::Language;
use super::expression::{Piece, Writer, literal};
use super::helper::Helper;
use super::span::Span;
use crate::definition::Definition;
use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::typed_tree::{Boolean, Number};
use crate::facts::{Fact, FactSet};
use crate::finish::{Finish, MAX_PLIES, Rounding};
use crate::rule::{Effect, Rule, RuleInfo};

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

/// Writes the body of the function.
pub(super) fn body(writer: &mut Writer<'_>, definition: &Definition, rules: &[RuleInfo]) -> String {
    let mut code = Code::at_depth(1);
    when(writer, &mut code, &definition.when);
    let base = writer.number(&definition.reduce);
    flush(writer, &mut code);
    let enabled: Vec<&Rule> = (definition.rules.iter().zip(rules))
        .filter_map(|(rule, info)| info.enabled.then_some(rule))
        .collect();
    let float = match (writer.language, enabled.is_empty()) {
        (Language::C, _) => "double plies =",
        (Language::Rust, true) => "let plies: f64 =",
        (Language::Rust, false) => "let mut plies: f64 =",
    };
    code.comment("The reduction, in the policy's own unit.");
    code.line(&format!("{float} {};", base.text));
    let span = self::rules(writer, &mut code, &enabled, base.span);
    finish(writer, &mut code, &definition.finish, span);
    // What is read is known only now.
    let mut all = Code::at_depth(1);
    let keyword = writer.float_keyword();
    for fact in writer.locals() {
        let (name, field) = (fact.info().name, writer.field(fact));
        match writer.language {
            Language::C => all.line(&format!("{keyword} {name} = {field};")),
            Language::Rust => all.line(&format!("{keyword} {name} = f64::from({field});")),
        }
    }
    all.text.push_str(&code.text);
    all.text
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

fn when(writer: &mut Writer<'_>, code: &mut Code, when: &Boolean) {
    if *when == Boolean::Constant(true) {
        return;
    }
    let negation = writer.boolean(&Boolean::Not(Box::new(when.clone())));
    flush(writer, code);
    code.line(&if_line(writer.language, &negation.text));
    code.line("return 0;");
    code.line("}");
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

fn finish(writer: &mut Writer<'_>, code: &mut Code, finish: &Finish, span: Span) {
    let language = writer.language;
    let assign = match language {
        Language::C => "plies =",
        Language::Rust => "let plies =",
    };
    code.gap();
    let mut span = span;
    if finish.scale != 1.0 {
        code.comment("Whole plies.");
        code.line(&format!("{assign} plies * {};", parenthesized(finish.scale)));
        span = span.times(Span::of(finish.scale));
    } else {
        code.comment("Whole plies.");
    }
    let limit = f64::from(MAX_PLIES);
    if span.greatest() > limit {
        let raised = writer.call(Helper::Maximum, &["plies", &literal(-limit)]);
        let lowered = writer.call(Helper::Minimum, &[&raised, &literal(limit)]);
        code.line(&format!("{assign} {lowered};"));
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
    code.line(match language {
        Language::C => "return whole;",
        Language::Rust => "whole",
    });
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
