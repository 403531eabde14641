//! Writes the file: its header, the parameters, the struct of facts, the tables, and the function.

use std::fmt::Write as _;

use super::functions::{DEPTH_CHANGE, Function, IS_LATE, PLIES, REDUCTION, functions};
use super::history_bound;
use super::names::prefix;
use super::printer::{Lookup, Printer, literal};
use super::spelling::Code;
use super::template::filled;
use super::{Export, Language, comment, is_of_this_engine, pseudocode};
use crate::facts::{Cost, Fact, FactSet, Kind, Moment};
use crate::policy::Policy;

/// The licence of the files: the one of this project.
pub(super) const LICENSE: &str = "// SPDX-License-Identifier: MIT OR Apache-2.0\n";

/// Writes a policy.
pub(super) fn write(policy: &Policy, language: Language) -> Export {
    let mut printer = Printer::new(policy, language);
    let functions = functions(&mut printer, policy);
    let read = functions.iter().map(|function| function.read);
    let read = read.fold(FactSet::default(), FactSet::union);
    let own = printer.own.iter().filter(|(fact, _)| read.contains(*fact));
    let own: Vec<_> = own.cloned().collect();
    let facts = read.iter().filter(|fact| !fact.is_of_rules() && !fact.is_of_research());
    let (parameters, facts): (Vec<Fact>, Vec<Fact>) = facts.partition(|fact| is_of_this_engine(*fact));
    let mut text = header(policy, &printer, &functions, &parameters);
    constants(&mut text, policy, &printer);
    bounds(&mut text, &printer);
    struct_of_facts(&mut text, &printer, (&facts, &own), &functions);
    helpers(&mut text, &printer);
    for lookup in &printer.lookups {
        table(&mut text, &printer, lookup);
    }
    grid(&mut text, &printer);
    for one in &functions {
        function(&mut text, policy, &printer, one);
    }
    let research = pseudocode::research(policy, &printer.names.with_prefix(DEPTH_CHANGE));
    for lines in std::iter::once(research).chain(policy.history().map(pseudocode::history)) {
        text.push('\n');
        comment::write(&mut text, "", &lines);
    }
    if language == Language::C {
        let _ = writeln!(text, "\n#endif");
    }
    let inexact = printer.helpers().filter(|helper| helper.is_of_the_system);
    Export {
        text,
        name: prefix(policy.name()),
        facts,
        own,
        parameters,
        inexact: inexact.map(|helper| helper.name.replace('_', " ")).collect(),
    }
}

/// The facts on which the reduction depends.
pub(super) fn facts_of_reduction(policy: &Policy, language: Language) -> FactSet {
    let functions = functions(&mut Printer::new(policy, language), policy);
    let of_reduction = functions.iter().filter(|function| function.name != DEPTH_CHANGE);
    of_reduction.fold(FactSet::default(), |all, function| all.union(function.read))
}

/// The first lines of a file: its licence, and what it was made from.
pub(super) fn origin(policy: &Policy) -> String {
    let mut text = LICENSE.to_owned();
    let mut lines = format!(
        "Late move reductions: the policy {}, written by lmrlab policy export.\n",
        policy.name()
    );
    for line in policy.description().lines() {
        let _ = writeln!(lines, "  {line}");
    }
    for (index, line) in policy.provenance().lines().enumerate() {
        let start = if index == 0 { "Source: " } else { "" };
        let _ = writeln!(lines, "  {start}{line}");
    }
    let overrides = policy.overrides();
    if !overrides.is_empty() {
        let _ = writeln!(lines, "  With {}.", overrides.join(", "));
    }
    comment::write(&mut text, "", &lines);
    text
}

/// Opens the guard of a header.
pub(super) fn guard(name: &str) -> String {
    let guard = format!("{}_REDUCTION_H", name.to_ascii_uppercase());
    format!("#ifndef {guard}\n#define {guard}\n")
}

/// Appends an item after an empty line: its documentation and its source.
fn item(text: &mut String, language: Language, lines: &str, source: &str) {
    text.push('\n');
    comment::document(text, language, "", lines);
    let _ = writeln!(text, "{source}");
}

fn header(policy: &Policy, printer: &Printer<'_>, functions: &[Function], parameters: &[Fact]) -> String {
    let inexact = printer.helpers().any(|helper| helper.is_of_the_system);
    let (depth, moves) = policy.reducible_from();
    let places = [
        (depth, format!("below depth {depth}")),
        (moves, format!("with fewer than {moves} moves searched before it")),
    ];
    let places = places.into_iter().filter(|(least, _)| *least > 0);
    let places: Vec<String> = places.map(|(_, place)| place).collect();
    let holds = [
        printer.language.pick("c", "rust"),
        if functions.len() > 3 {
            "by_score"
        } else {
            "not_by_score"
        },
        if places.is_empty() { "" } else { "places" },
        if parameters.is_empty() { "" } else { "parameters" },
        if inexact { "inexact" } else { "" },
    ];
    let parameters: Vec<&str> = parameters.iter().map(|fact| fact.name()).collect();
    let history = policy.history().map_or("", |_| " and the history table");
    let values = [
        ("prefix", printer.names.with_prefix("")),
        ("history", history.to_owned()),
        ("places", places.join(", or ")),
        ("parameters", parameters.join(", ")),
    ];
    let mut text = origin(policy) + "//\n";
    comment::write(&mut text, "", &filled(include_str!("header.txt"), &holds, &values));
    let math = match printer.helpers().any(|helper| helper.needs_math) {
        true => "#include <math.h>\n",
        false => "",
    };
    let guard = guard(&prefix(policy.name()));
    text + &printer.language.pick(
        format!("\n{guard}\n#include <stdbool.h>\n{math}\n#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n"),
        "\n#![allow(dead_code, unused_parens, clippy::all, clippy::pedantic)]\n".to_owned(),
    )
}

/// The parameters as constants.
fn constants(text: &mut String, policy: &Policy, printer: &Printer<'_>) {
    for index in &printer.used {
        let (Some(parameter), Some(name)) = (policy.parameters().get(*index), printer.constants.get(*index)) else {
            continue;
        };
        let (min, max) = (parameter.min, parameter.max);
        let lines = format!("The parameter {}, from {min} to {max}.", parameter.name);
        let value = literal(parameter.value);
        let source = match printer.language {
            Language::C if parameter.value.is_sign_negative() => format!("#define {name} ({value})"),
            Language::C => format!("#define {name} {value}"),
            Language::Rust => format!("pub const {name}: f64 = {value};"),
        };
        item(text, printer.language, &lines, &source);
    }
}

/// The bounds of histories as constants.
fn bounds(text: &mut String, printer: &Printer<'_>) {
    for (bound, name) in &printer.bounds {
        let (meaning, number) = (bound.meaning(), bound.value());
        let value = literal(f64::from(number));
        let (change, source) = match printer.language {
            Language::C => (
                "define this before you include the file",
                format!("#ifndef {name}\n#define {name} {value}\n#endif"),
            ),
            Language::Rust => ("change this", format!("pub const {name}: f64 = {value};")),
        };
        let lines =
            format!("The bound of {meaning}. It is {number} in lmrlab. If it is another in your engine, {change}.");
        item(text, printer.language, &lines, &source);
    }
}

/// What a fact means, its unit and its range.
fn meaning(fact: Fact, printer: &Printer<'_>) -> String {
    let info = fact.info();
    let range = match history_bound::bounds(fact, printer.history) {
        _ if info.kind == Kind::Boolean => String::new(),
        Some((bound, None)) => format!(
            "Give your engine's own number: from -{0} to {0}.\n",
            printer.bound(bound)
        ),
        Some((quiet, Some(other))) => format!(
            "Give your engine's own number: of a quiet move from -{0} to {0}, of any other from -{1} to {1}.\n",
            printer.bound(quiet),
            printer.bound(other)
        ),
        None => {
            let range = match (fact, printer.history) {
                (Fact::History, Some(history)) => history.model.range(),
                _ => fact.range().unwrap_or(0..=0),
            };
            let unit = match fact {
                Fact::History => "in the unit of the history table that is described at the end".to_owned(),
                Fact::Phase => "in pieces".to_owned(),
                Fact::PawnRank => "a rank".to_owned(),
                _ => format!("in {}", info.unit),
            };
            format!("From {} to {}, {unit}.\n", range.start(), range.end())
        }
    };
    let undeclared = match fact == Fact::History && printer.history.is_none() {
        true => "The policy declares no history table.\n",
        false => "",
    };
    format!("{}\n{range}{undeclared}", info.meaning)
}

/// Advice on a fact: that only one function reads it, or where to compute it because it costs work. Empty for other
/// facts.
fn readers(fact: Fact, printer: &Printer<'_>, functions: &[Function]) -> String {
    let reads = |name: &str| {
        let mut named = functions.iter().filter(|function| function.name == name);
        named.any(|function| function.read.contains(fact))
    };
    let name = |name: &str| printer.names.with_prefix(name);
    if ![IS_LATE, PLIES, REDUCTION].into_iter().any(reads) {
        format!("Read by {} alone.\n", name(DEPTH_CHANGE))
    } else if fact.info().cost == Cost::Work && !reads(IS_LATE) {
        format!("Costs work: compute it only where {} holds.\n", name(IS_LATE))
    } else if fact.info().cost == Cost::Work {
        "Costs work: compute it only where the other facts let a move be late.\n".to_owned()
    } else {
        String::new()
    }
}

fn struct_of_facts(
    text: &mut String,
    printer: &Printer<'_>,
    (facts, own): (&[Fact], &[(Fact, String)]),
    functions: &[Function],
) {
    let language = printer.language;
    let lines = "What the policy asks about a move. Behind each field: whether it is of before or after the move is made on the board.";
    let open = language.pick(
        format!("struct {} {{", printer.names.with_prefix("facts")),
        "#[derive(Debug, Clone, Copy, Default)]\npub struct Facts {".to_owned(),
    );
    item(text, language, lines, &open);
    for fact in facts {
        let lines = meaning(*fact, printer) + &readers(*fact, printer, functions);
        comment::document(text, language, "    ", &lines);
        let moment = match fact.info().moment {
            Moment::Node | Moment::Before => "before",
            Moment::After => "after",
            Moment::Both => "before and after",
            _ => "after its reduced search",
        };
        let field = field(language, *fact, fact.name(), ["int", "i32"]);
        let _ = writeln!(text, "    {field} // {moment}");
    }
    for (fact, name) in own {
        let what = match fact.is_boolean() {
            true => "A flag of your engine's own.\n",
            false => "A number of your engine's own, times the factor of its list of facts: any finite one.\n",
        };
        let lines = what.to_owned() + &readers(*fact, printer, functions);
        comment::document(text, language, "    ", &lines);
        let _ = writeln!(text, "    {}", field(language, *fact, name, ["double", "f64"]));
    }
    text.push_str(language.pick("};\n", "}\n"));
}

/// A field of the struct; `number` is the type of a number.
fn field(language: Language, fact: Fact, name: &str, number: [&str; 2]) -> String {
    let [c, rust] = if fact.is_boolean() { ["bool"; 2] } else { number };
    language.pick(format!("{c} {name};"), format!("pub {name}: {rust},"))
}

fn helpers(text: &mut String, printer: &Printer<'_>) {
    for helper in printer.helpers() {
        let name = printer.names.with_prefix(helper.name);
        let prefix = printer.names.with_prefix("");
        let [c, rust] = helper.bodies.map(|body| body.replace('@', &prefix));
        let typed = |before: &str, after: &str| {
            let names = helper.parameters().iter().map(|name| format!("{before}{name}{after}"));
            names.collect::<Vec<_>>().join(", ")
        };
        let (of_c, of_rust) = (typed("double ", ""), typed("", ": f64"));
        let source = printer.language.pick(
            format!("static inline double {name}({of_c})\n{{\n    {c}\n}}"),
            format!("#[inline]\nfn {name}({of_rust}) -> f64 {{\n    {rust}\n}}"),
        );
        item(text, printer.language, helper.meaning, &source);
    }
}

/// Numbers with commas between them, on lines of their own.
fn cells(text: &mut String, cells: &[f64]) {
    let mut code = Code::new(Language::C);
    let cells: Vec<String> = cells.iter().map(|cell| literal(*cell)).collect();
    code.line(&format!("{},", cells.join(", ")));
    // Continued lines need no further indentation here.
    for line in code.text.lines() {
        let _ = writeln!(text, "    {}", line.trim_start());
    }
}

fn table(text: &mut String, printer: &Printer<'_>, lookup: &Lookup) {
    let (low, high) = (*lookup.range.start(), *lookup.range.end());
    let (name, table) = (&lookup.name, &lookup.table);
    let lines = format!(
        "{} for each x from {low} to {high}; the nearest of them outside.",
        lookup.words
    );
    let index = match low {
        0 => "x".to_owned(),
        low if low < 0 => format!("x + {}", -low),
        low => format!("x - {low}"),
    };
    let rust_index = if low == 0 { index.clone() } else { format!("({index})") };
    let function = printer.language.pick(
        format!(
            "static inline double {name}(int x)\n{{\n    x = x < {low} ? {low} : x > {high} ? {high} : x;\n    return \
             {table}[{index}];\n}}"
        ),
        format!(
            "#[inline]\nfn {name}(x: i32) -> f64 {{\n    let x = x.clamp({low}, {high});\n    {table}[{rust_index} as \
             usize]\n}}"
        ),
    );
    let source = static_table(printer.language, table, &[&lookup.cells], &function);
    item(text, printer.language, &lines, &source);
}

/// A table, and the function that reads it.
fn static_table(language: Language, table: &str, rows: &[&[f64]], function: &str) -> String {
    let count: usize = rows.iter().map(|row| row.len()).sum();
    let (mut text, close) = language.pick(
        (format!("static const double {table}[{count}] = {{\n"), "}"),
        (format!("static {table}: [f64; {count}] = [\n"), "]"),
    );
    for row in rows {
        cells(&mut text, row);
    }
    text + &format!("{close};\n\n{function}")
}

/// The policy's own table.
fn grid(text: &mut String, printer: &Printer<'_>) {
    let Some((grid, function, table)) = &printer.grid else {
        return;
    };
    let columns = grid.columns();
    let rows: Vec<&[f64]> = grid.cells().chunks(columns).collect();
    let (last_row, last_column) = (rows.len() - 1, columns - 1);
    let count = rows.len();
    let lines = format!(
        "The policy's table: {count} rows of {columns}. Row and column are cut towards zero; the nearest outside."
    );
    let function = printer.language.pick(
        format!(
            "static inline double {function}(double row, double column)\n{{\n    const int r = row > {last_row}.0 ? {last_row} : row > \
             0.0 ? (int)row : 0;\n    const int c = column > {last_column}.0 ? {last_column} : column > 0.0 ? (int)column : 0;\n    \
             return {table}[r * {columns} + c];\n}}"
        ),
        format!(
            "#[inline]\nfn {function}(row: f64, column: f64) -> f64 {{\n    let row = (row as usize).min({last_row});\n    let \
             column = (column as usize).min({last_column});\n    {table}[row * {columns} + column]\n}}"
        ),
    );
    let source = static_table(printer.language, table, &rows, &function);
    item(text, printer.language, &lines, &source);
}

/// What a function returns.
fn result(policy: &Policy, function: &Function) -> String {
    let own = policy.own_facts().filter(|own| function.read.contains(own.fact));
    let read = function.read.iter().map(|fact| fact.name().to_owned());
    let read: Vec<String> = read.chain(own.map(|own| own.name.to_owned())).collect();
    let reads = match read.as_slice() {
        [] => String::new(),
        read => format!(" It reads {}.", read.join(", ")),
    };
    let extends = match policy.scheme().finish.can_extend() {
        true => " Below 0 the move is extended.",
        false => "",
    };
    let is_changing =
        |fact: &Fact| fact.name().contains("history") || matches!(fact, Fact::ChildCutoffs | Fact::CounterMove);
    let changed: Vec<&str> = function.read.iter().filter(is_changing).map(Fact::name).collect();
    let is_changed = function.name == DEPTH_CHANGE && !changed.is_empty();
    let holds = [function.name, if is_changed { "changed" } else { "" }];
    let values = [
        ("reads", reads),
        ("extends", extends.to_owned()),
        ("changed", changed.join(", ")),
    ];
    filled(include_str!("functions.txt"), &holds, &values)
}

fn function(text: &mut String, policy: &Policy, printer: &Printer<'_>, function: &Function) {
    let mut lines = result(policy, function);
    for fact in function.parameters.iter().filter(|fact| !fact.is_of_research()) {
        lines += &format!("{}: {}", fact.name(), meaning(*fact, printer));
    }
    let (name, body) = (printer.names.with_prefix(function.name), &function.body);
    let parameters = function.parameters.iter().map(|fact| {
        let (name, language) = (fact.name(), printer.language);
        let rust = if fact.is_of_research() { "i32" } else { "f64" };
        language.pick(format!(", double {name}"), format!(", {name}: {rust}"))
    });
    let parameters: String = parameters.collect();
    let [c, rust] = function.returned;
    let facts = printer.names.with_prefix("facts");
    let source = printer.language.pick(
        format!("static inline {c} {name}(const struct {facts} *facts{parameters})\n{{\n{body}}}"),
        format!("#[inline]\npub fn {name}(facts: &Facts{parameters}) -> {rust} {{\n{body}}}"),
    );
    item(text, printer.language, &lines, &source);
}
