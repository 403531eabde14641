//! Writes the file: its header, the parameters, the struct of facts, the tables, and the function.

use std::fmt::Write as _;

use super::functions::{DEPTH_CHANGE, Function, IS_LATE, PLIES, REDUCTION, functions};
use super::history_bound;
use super::names::prefix;
use super::printer::{Lookup, Printer, literal};
use super::spelling::Code;
use super::{Export, Language, comment, is_of_this_engine, pseudocode};
use crate::facts::{Cost, Fact, FactSet, Kind, Moment};
use crate::policy::Policy;

/// The licence of the files: the one of this project.
pub(super) const LICENSE: &str = "// SPDX-License-Identifier: MIT OR Apache-2.0\n";

/// Writes a policy.
pub(super) fn write(policy: &Policy, language: Language) -> Export {
    let mut printer = Printer::new(policy, language);
    let functions = functions(&mut printer, policy);
    let mut read = FactSet::default();
    for function in &functions {
        read = read.union(function.read);
    }
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
    text.push('\n');
    comment::write(
        &mut text,
        "",
        &pseudocode::research(policy, &printer.names.with_prefix(DEPTH_CHANGE)),
    );
    if let Some(history) = policy.history() {
        text.push('\n');
        comment::write(&mut text, "", &pseudocode::history(history));
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

fn header(policy: &Policy, printer: &Printer<'_>, functions: &[Function], parameters: &[Fact]) -> String {
    let mut text = origin(policy);
    text.push_str("//\n");
    let mut lines = match printer.language {
        Language::C => format!("Fill a struct {} for a move. Then", printer.names.with_prefix("facts")),
        Language::Rust => "Fill `Facts` for a move. Then".to_owned(),
    };
    lines.push('\n');
    for function in functions {
        let says = match function.name {
            IS_LATE => "says whether the move is late: whether the policy has a reduction for it, which may be 0;",
            PLIES => "gives the reduction before rounding and limits, as a term for your engine's own sum;",
            DEPTH_CHANGE => "gives the change of the full depth after a reduced search.",
            _ if functions.len() > 3 => "gives the reduction: the plies by which the move is searched less deep;",
            _ => "gives the reduction: the plies by which the move is searched less deep.",
        };
        let _ = writeln!(lines, "  {} {says}", printer.names.with_prefix(function.name));
    }
    let described = match policy.history() {
        Some(_) => "The re-searches and the history table that belong to the policy are",
        None => "The re-searches that belong to the policy are",
    };
    let _ = writeln!(
        lines,
        "They give what lmrlab computes, for all facts within their ranges. {described} described at the end."
    );
    let (depth, moves) = policy.reducible_from();
    let places = [
        (depth, format!("below depth {depth}")),
        (moves, format!("with fewer than {moves} moves searched before it")),
    ];
    let places: Vec<String> = places
        .into_iter()
        .filter_map(|(least, place)| (least > 0).then_some(place))
        .collect();
    if !places.is_empty() {
        let _ = writeln!(
            lines,
            "No move is late {}: there is no need to call them there.",
            places.join(", or ")
        );
    }
    if !parameters.is_empty() {
        let names: Vec<&str> = parameters.iter().map(|fact| fact.name()).collect();
        let _ = writeln!(
            lines,
            "Terms of lmrlab's own evaluation that no other engine can be asked for are parameters of the functions: {}. Give \
             your engine's own number, or 0.",
            names.join(", ")
        );
    }
    if let Language::C = printer.language {
        lines.push_str(
            "Do not compile it with -ffast-math, and with -march=native only together with -ffp-contract=off: else a \
             result may differ where a number is very close to the next ply.\n",
        );
    }
    if printer.helpers().any(|helper| helper.is_of_the_system) {
        lines.push_str(
            "It calls a mathematical function of the system where no table can take its place. Systems differ in the last bit \
             of such functions, so the result may differ from lmrlab's where a number is very close to the next ply.\n",
        );
    }
    comment::write(&mut text, "", &lines);
    match printer.language {
        Language::C => {
            let _ = write!(text, "\n{}", guard(&prefix(policy.name())));
            text.push_str("\n#include <stdbool.h>\n");
            if printer.helpers().any(|helper| helper.needs_math) {
                text.push_str("#include <math.h>\n");
            }
            text.push_str("\n#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n");
        }
        Language::Rust => text.push_str("\n#![allow(dead_code, unused_parens, clippy::all, clippy::pedantic)]\n"),
    }
    text
}

/// The parameters as constants.
fn constants(text: &mut String, policy: &Policy, printer: &Printer<'_>) {
    for index in &printer.used {
        let (Some(parameter), Some(name)) = (policy.parameters().get(*index), printer.constants.get(*index)) else {
            continue;
        };
        text.push('\n');
        comment::document(
            text,
            printer.language,
            "",
            &format!(
                "The parameter {}, from {} to {}.",
                parameter.name, parameter.min, parameter.max
            ),
        );
        let value = literal(parameter.value);
        let _ = match printer.language {
            Language::C if parameter.value.is_sign_negative() => writeln!(text, "#define {name} ({value})"),
            Language::C => writeln!(text, "#define {name} {value}"),
            Language::Rust => writeln!(text, "pub const {name}: f64 = {value};"),
        };
    }
}

/// The bounds of histories as constants.
fn bounds(text: &mut String, printer: &Printer<'_>) {
    for (bound, name) in &printer.bounds {
        text.push('\n');
        let value = literal(f64::from(bound.value()));
        let change = match printer.language {
            Language::C => "define this before you include the file",
            Language::Rust => "change this",
        };
        let lines = format!(
            "The bound of {}. It is {} in lmrlab. If it is another in your engine, {change}.",
            bound.meaning(),
            bound.value()
        );
        comment::document(text, printer.language, "", &lines);
        let _ = match printer.language {
            Language::C => writeln!(text, "#ifndef {name}\n#define {name} {value}\n#endif"),
            Language::Rust => writeln!(text, "pub const {name}: f64 = {value};"),
        };
    }
}

/// What a fact means, its unit and its range.
fn meaning(fact: Fact, printer: &Printer<'_>) -> String {
    let info = fact.info();
    let mut lines = format!("{}\n", info.meaning);
    if info.kind == Kind::Number {
        let bounds = history_bound::bounds(fact, printer.history);
        let _ = match bounds {
            Some((bound, None)) => writeln!(
                lines,
                "Give your engine's own number: from -{0} to {0}.",
                printer.bound(bound)
            ),
            Some((quiet, Some(other))) => writeln!(
                lines,
                "Give your engine's own number: of a quiet move from -{0} to {0}, of any other from -{1} to {1}.",
                printer.bound(quiet),
                printer.bound(other)
            ),
            None => {
                let span = printer.range(fact);
                let unit = match fact {
                    Fact::History => "in the unit of the history table that is described at the end".to_owned(),
                    Fact::Phase => "in pieces".to_owned(),
                    Fact::PawnRank => "a rank".to_owned(),
                    _ => format!("in {}", info.unit),
                };
                writeln!(lines, "From {} to {}, {unit}.", span.low, span.high)
            }
        };
        if fact == Fact::History && printer.history.is_none() {
            lines.push_str("The policy declares no history table.\n");
        }
    }
    lines
}

/// Advice on a fact: that only one function reads it, or where to compute it because it costs work. Empty for other
/// facts.
fn readers(fact: Fact, printer: &Printer<'_>, functions: &[Function]) -> String {
    let reads = |name: &str| {
        functions
            .iter()
            .any(|function| function.name == name && function.read.contains(fact))
    };
    let name = |name: &str| printer.names.with_prefix(name);
    let mut lines = String::new();
    if ![IS_LATE, PLIES, REDUCTION].into_iter().any(reads) {
        let _ = writeln!(lines, "Read by {} alone.", name(DEPTH_CHANGE));
    } else if fact.info().cost == Cost::Work && !reads(IS_LATE) {
        let _ = writeln!(lines, "Costs work: compute it only where {} holds.", name(IS_LATE));
    } else if fact.info().cost == Cost::Work {
        lines.push_str("Costs work: compute it only where the other facts let a move be late.\n");
    }
    lines
}

fn struct_of_facts(
    text: &mut String,
    printer: &Printer<'_>,
    (facts, own): (&[Fact], &[(Fact, String)]),
    functions: &[Function],
) {
    text.push('\n');
    comment::document(
        text,
        printer.language,
        "",
        "What the policy asks about a move. Behind each field: whether it is of before or after the move is made on the board.",
    );
    let _ = match printer.language {
        Language::C => writeln!(text, "struct {} {{", printer.names.with_prefix("facts")),
        Language::Rust => writeln!(text, "#[derive(Debug, Clone, Copy, Default)]\npub struct Facts {{"),
    };
    for fact in facts {
        let lines = meaning(*fact, printer) + &readers(*fact, printer, functions);
        comment::document(text, printer.language, "    ", &lines);
        let info = fact.info();
        let name = info.name;
        let moment = match info.moment {
            Moment::Before => "before",
            Moment::After => "after",
            Moment::Both => "before and after",
            _ => "after its reduced search",
        };
        let types = match info.kind {
            Kind::Number => ["int", "i32"],
            Kind::Boolean => ["bool"; 2],
        };
        let _ = writeln!(text, "    {} // {moment}", field(printer.language, name, types));
    }
    for (fact, name) in own {
        let kind = fact.info().kind;
        let mut lines = match kind {
            Kind::Boolean => "A flag of your engine's own.\n".to_owned(),
            Kind::Number => {
                "A number of your engine's own, times the factor of its list of facts: any finite one.\n".to_owned()
            }
        };
        let of_reduction = functions.iter().filter(|function| function.name != DEPTH_CHANGE);
        if !of_reduction
            .fold(FactSet::default(), |all, function| all.union(function.read))
            .contains(*fact)
        {
            let _ = writeln!(lines, "Read by {} alone.", printer.names.with_prefix(DEPTH_CHANGE));
        }
        comment::document(text, printer.language, "    ", &lines);
        let types = match kind {
            Kind::Number => ["double", "f64"],
            Kind::Boolean => ["bool"; 2],
        };
        let _ = writeln!(text, "    {}", field(printer.language, name, types));
    }
    text.push_str(printer.language.pick("};\n", "}\n"));
}

/// A field of the struct.
fn field(language: Language, name: &str, [c, rust]: [&str; 2]) -> String {
    language.pick(format!("{c} {name};"), format!("pub {name}: {rust},"))
}

fn helpers(text: &mut String, printer: &Printer<'_>) {
    for helper in printer.helpers() {
        text.push('\n');
        comment::document(text, printer.language, "", helper.meaning);
        let name = printer.names.with_prefix(helper.name);
        let [c, rust] = helper
            .bodies
            .map(|body| body.replace('@', &printer.names.with_prefix("")));
        let typed = |before: &str, after: &str| {
            let names = helper.parameters().iter().map(|name| format!("{before}{name}{after}"));
            names.collect::<Vec<_>>().join(", ")
        };
        text.push_str(&printer.language.pick(
            format!(
                "static inline double {name}({})\n{{\n    {c}\n}}\n",
                typed("double ", "")
            ),
            format!(
                "#[inline]\nfn {name}({}) -> f64 {{\n    {rust}\n}}\n",
                typed("", ": f64")
            ),
        ));
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
    text.push('\n');
    comment::document(
        text,
        printer.language,
        "",
        &format!(
            "{} for each x from {low} to {high}; the nearest of them outside.",
            lookup.words
        ),
    );
    let index = match low {
        0 => "x".to_owned(),
        low if low < 0 => format!("x + {}", -low),
        low => format!("x - {low}"),
    };
    let rust_index = match low {
        0 => index.clone(),
        _ => format!("({index})"),
    };
    let c = format!(
        "static inline double {name}(int x)\n{{\n    x = x < {low} ? {low} : x > {high} ? {high} : x;\n    return \
         {table}[{index}];\n}}"
    );
    let rust = format!(
        "#[inline]\nfn {name}(x: i32) -> f64 {{\n    let x = x.clamp({low}, {high});\n    {table}[{rust_index} as usize]\n}}"
    );
    static_table(text, printer.language, table, &[&lookup.cells], [c, rust]);
}

/// A table, and the function that reads it: in C and in Rust.
fn static_table(text: &mut String, language: Language, table: &str, rows: &[&[f64]], [c, rust]: [String; 2]) {
    let count: usize = rows.iter().map(|row| row.len()).sum();
    let (open, close, function) = match language {
        Language::C => (format!("static const double {table}[{count}] = {{"), "}", c),
        Language::Rust => (format!("static {table}: [f64; {count}] = ["), "]", rust),
    };
    let _ = writeln!(text, "{open}");
    for row in rows {
        cells(text, row);
    }
    let _ = writeln!(text, "{close};\n\n{function}");
}

/// The policy's own table.
fn grid(text: &mut String, printer: &Printer<'_>) {
    let Some((grid, function, table)) = &printer.grid else {
        return;
    };
    let columns = grid.columns();
    let (last_row, last_column) = (grid.cells().len() / columns - 1, columns - 1);
    text.push('\n');
    comment::document(
        text,
        printer.language,
        "",
        &format!(
            "The policy's table: {} rows of {columns}. Row and column are cut towards zero; the nearest outside.",
            last_row + 1
        ),
    );
    let c = format!(
        "static inline double {function}(double row, double column)\n{{\n    const int r = row > {last_row}.0 ? {last_row} : row > \
         0.0 ? (int)row : 0;\n    const int c = column > {last_column}.0 ? {last_column} : column > 0.0 ? (int)column : 0;\n    \
         return {table}[r * {columns} + c];\n}}"
    );
    let rust = format!(
        "#[inline]\nfn {function}(row: f64, column: f64) -> f64 {{\n    let row = (row as usize).min({last_row});\n    let \
         column = (column as usize).min({last_column});\n    {table}[row * {columns} + column]\n}}"
    );
    let rows: Vec<&[f64]> = grid.cells().chunks(columns).collect();
    static_table(text, printer.language, table, &rows, [c, rust]);
}

/// What a function returns.
fn result(policy: &Policy, function: &Function) -> String {
    match function.name {
        IS_LATE => {
            let mut lines = "Whether the move is late: whether the policy's `when` holds.".to_owned();
            let own = policy.own_facts().filter(|own| function.read.contains(own.fact));
            let read = function.read.iter().map(|fact| fact.name().to_owned());
            let read: Vec<String> = read.chain(own.map(|own| own.name.to_owned())).collect();
            if !read.is_empty() {
                let _ = write!(lines, " It reads {}.", read.join(", "));
            }
            lines.push_str(
                " A late move may be reduced by 0 plies. lmrlab searches it as it searches a move that is not late; your \
                 engine may tell them apart.",
            );
            lines
        }
        PLIES => "The reduction in plies, before rounding and limits; 0 for a move that is not late. It is for an engine that \
                  adds terms of its own, and rounds and limits the sum."
            .to_owned(),
        REDUCTION => {
            let extends = match policy.scheme().finish.can_extend() {
                true => " Below 0 the move is extended.",
                false => "",
            };
            format!("The reduction in whole plies, within the policy's limits; 0 for a move that is not late.{extends}")
        }
        _ => {
            let mut lines = "By how many plies the full depth changes after the reduced search of a move: 1 is deeper, -1 \
                             shallower.\nscore: what that search returned, in centipawns for the side that moved\n\
                             reduction: its reduction in plies"
                .to_owned();
            let changing = [
                Fact::ChildCutoffs,
                Fact::CounterMove,
                Fact::History,
                Fact::CaptureHistory,
                Fact::ContinuationHistory,
                Fact::ContinuationHistory2,
                Fact::ContinuationHistory4,
                Fact::OrderingHistory,
            ];
            let changed = changing.into_iter().filter(|fact| function.read.contains(*fact));
            let changed: Vec<&str> = changed.map(Fact::name).collect();
            if !changed.is_empty() {
                let _ = write!(lines, "\nlmrlab reads anew what that search may have changed: {}.", changed.join(", "));
            }
            lines
        }
    }
}

fn function(text: &mut String, policy: &Policy, printer: &Printer<'_>, function: &Function) {
    text.push('\n');
    let mut lines = result(policy, function);
    for fact in function.parameters.iter().filter(|fact| !fact.is_of_research()) {
        let _ = write!(lines, "\n{}: {}", fact.name(), meaning(*fact, printer).trim_end());
    }
    comment::document(text, printer.language, "", &lines);
    let (name, body) = (printer.names.with_prefix(function.name), &function.body);
    let parameters = function.parameters.iter().map(|fact| {
        let name = fact.name();
        let rust = if fact.is_of_research() { "i32" } else { "f64" };
        printer
            .language
            .pick(format!(", double {name}"), format!(", {name}: {rust}"))
    });
    let parameters: String = parameters.collect();
    let [c, rust] = function.returned;
    let facts = printer.names.with_prefix("facts");
    text.push_str(&printer.language.pick(
        format!("static inline {c} {name}(const struct {facts} *facts{parameters})\n{{\n{body}}}\n"),
        format!("#[inline]\npub fn {name}(facts: &Facts{parameters}) -> {rust} {{\n{body}}}\n"),
    ));
}
