//! Writes the file: its header, the parameters, the struct of facts, the tables, and the function.

use std::fmt::Write as _;

use super::expression::{Writer, literal};
use super::function::{Code, body};
use super::lookup::Lookup;
use super::names::prefix;
use super::{Export, Language, comment, is_of_this_engine, pseudocode};
use crate::facts::{Cost, Fact, Kind};
use crate::history::History;
use crate::policy::Policy;

/// The licence of the files: the one of this project.
pub(super) const LICENSE: &str = "// SPDX-License-Identifier: MIT OR Apache-2.0\n";

/// Writes a policy.
pub(super) fn write(policy: &Policy, language: Language) -> Export {
    let definition = policy.definition();
    let mut writer = Writer::new(language, policy.name(), policy.parameters(), policy.history());
    let body = if policy.never_reduces() {
        writer.read.insert(Fact::Depth);
        match language {
            Language::C => "    (void)facts;\n    return 0;\n".to_owned(),
            Language::Rust => "    let _ = facts.depth;\n    0\n".to_owned(),
        }
    } else {
        body(&mut writer, definition, policy.rules())
    };
    let facts: Vec<Fact> = writer.read.iter().filter(|fact| !fact.is_of_rules()).collect();
    let (parameters, facts): (Vec<Fact>, Vec<Fact>) = facts.into_iter().partition(|fact| is_of_this_engine(*fact));
    let research = pseudocode::research(policy);
    let mut text = header(policy, &writer, &parameters);
    constants(&mut text, policy, &writer);
    struct_of_facts(&mut text, &writer, &facts, policy.history());
    helpers(&mut text, &writer);
    for lookup in &writer.lookups {
        table(&mut text, &writer, lookup);
    }
    grid(&mut text, &writer);
    function(&mut text, policy, &writer, &parameters, &body);
    text.push('\n');
    comment::write(&mut text, "", &research);
    if let Some(history) = policy.history() {
        text.push('\n');
        comment::write(&mut text, "", &pseudocode::history(history));
    }
    if language == Language::C {
        let _ = writeln!(text, "\n#endif");
    }
    let inexact = writer.helpers.iter().filter(|helper| helper.is_of_the_system());
    Export {
        text,
        name: prefix(policy.name()),
        facts,
        parameters,
        inexact: inexact.map(|helper| helper.name().replace('_', " ")).collect(),
    }
}

/// The first lines of a file: its licence, and what it was made from.
pub(super) fn origin(policy: &Policy) -> String {
    let mut text = LICENSE.to_owned();
    let mut lines = format!(
        "Late move reductions: the policy {}, written by lmrlab policy export.\n",
        policy.name()
    );
    for line in [policy.description(), policy.provenance()]
        .into_iter()
        .flat_map(str::lines)
    {
        let _ = writeln!(lines, "  {line}");
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

fn header(policy: &Policy, writer: &Writer<'_>, parameters: &[Fact]) -> String {
    let mut text = origin(policy);
    text.push_str("//\n");
    let function = writer.names.with_prefix("reduction");
    let mut lines = match writer.language {
        Language::C => format!(
            "Fill a struct {}, and call {function}.",
            writer.names.with_prefix("facts")
        ),
        Language::Rust => format!("Fill `Facts`, and call `{function}`."),
    };
    lines.push_str(
        " The result is the number of plies by which a late move is searched less deep, as lmrlab computes it, for all facts \
         within their ranges. The re-searches and the history that belong to it are described at the end.\n",
    );
    let (depth, moves) = policy.reach();
    if !policy.never_reduces() && (depth > 0 || moves > 0) {
        let _ = writeln!(
            lines,
            "There is no need to call it below depth {depth}, or with fewer than {moves} moves searched before: the result is 0."
        );
    }
    if !parameters.is_empty() {
        let names: Vec<&str> = parameters.iter().map(|fact| fact.info().name).collect();
        let _ = writeln!(
            lines,
            "Terms of lmrlab's own evaluation that no other engine can be asked for are parameters of the function: {}. Give \
             your engine's own number, or 0.",
            names.join(", ")
        );
    }
    if let Language::C = writer.language {
        lines.push_str(
            "Do not compile it with -ffast-math, and with -march=native only together with -ffp-contract=off: else a \
             result may differ where a number is very close to the next ply.\n",
        );
    }
    if writer.helpers.iter().any(|helper| helper.is_of_the_system()) {
        lines.push_str(
            "It calls a mathematical function of the system where no table can take its place. Systems differ in the last bit \
             of such functions, so the result may differ from lmrlab's where a number is very close to the next ply.\n",
        );
    }
    comment::write(&mut text, "", &lines);
    match writer.language {
        Language::C => {
            let _ = write!(text, "\n{}", guard(&prefix(policy.name())));
            text.push_str("\n#include <stdbool.h>\n");
            if writer.helpers.iter().any(|helper| helper.needs_math()) {
                text.push_str("#include <math.h>\n");
            }
            text.push_str("\n#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n");
        }
        Language::Rust => text.push_str("\n#![allow(clippy::all, clippy::pedantic, unused_parens)]\n"),
    }
    text
}

/// The parameters as constants.
fn constants(text: &mut String, policy: &Policy, writer: &Writer<'_>) {
    for index in &writer.used {
        let (Some(parameter), Some(name)) = (policy.parameters().get(*index), writer.constants.get(*index)) else {
            continue;
        };
        text.push('\n');
        comment::document(
            text,
            writer.language,
            "",
            &format!(
                "The parameter {}, from {} to {}.",
                parameter.name, parameter.min, parameter.max
            ),
        );
        let value = literal(parameter.value);
        let _ = match writer.language {
            Language::C if parameter.value.is_sign_negative() => writeln!(text, "#define {name} ({value})"),
            Language::C => writeln!(text, "#define {name} {value}"),
            Language::Rust => writeln!(text, "pub const {name}: f64 = {value};"),
        };
    }
}

/// What a fact means, its unit and its range.
fn meaning(fact: Fact, writer: &Writer<'_>, history: Option<&History>) -> String {
    let info = fact.info();
    let mut lines = format!("{}\n", info.meaning);
    if info.kind == Kind::Number {
        let span = writer.range(fact);
        let unit = match fact {
            Fact::History => "in the unit of the history table that is described at the end".to_owned(),
            Fact::CaptureHistory | Fact::ContinuationHistory | Fact::OrderingHistory => {
                "on lmrlab's scale: multiply your own number so that its bounds become these".to_owned()
            }
            Fact::Phase => "in pieces".to_owned(),
            Fact::PawnRank => "a rank".to_owned(),
            _ => format!("in {}", info.unit),
        };
        let _ = writeln!(lines, "From {} to {}, {unit}.", span.low, span.high);
        if fact == Fact::History && history.is_none() {
            lines.push_str("The policy declares no history table.\n");
        }
    }
    if info.cost == Cost::Work {
        lines.push_str("Costs work: compute it only where the other facts let a move be reduced.\n");
    }
    lines
}

fn struct_of_facts(text: &mut String, writer: &Writer<'_>, facts: &[Fact], history: Option<&History>) {
    text.push('\n');
    comment::document(text, writer.language, "", "What the policy asks about a move.");
    let _ = match writer.language {
        Language::C => writeln!(text, "struct {} {{", writer.names.with_prefix("facts")),
        Language::Rust => writeln!(text, "#[derive(Debug, Clone, Copy, Default)]\npub struct Facts {{"),
    };
    for fact in facts {
        comment::document(text, writer.language, "    ", &meaning(*fact, writer, history));
        let name = fact.info().name;
        let _ = match (writer.language, fact.info().kind) {
            (Language::C, Kind::Number) => writeln!(text, "    int {name};"),
            (Language::C, Kind::Boolean) => writeln!(text, "    bool {name};"),
            (Language::Rust, Kind::Number) => writeln!(text, "    pub {name}: i32,"),
            (Language::Rust, Kind::Boolean) => writeln!(text, "    pub {name}: bool,"),
        };
    }
    text.push_str(match writer.language {
        Language::C => "};\n",
        Language::Rust => "}\n",
    });
}

fn helpers(text: &mut String, writer: &Writer<'_>) {
    for helper in &writer.helpers {
        text.push('\n');
        comment::document(text, writer.language, "", helper.meaning());
        let name = writer.names.with_prefix(helper.name());
        let (parameters, code) = helper.code(writer.language);
        let code = code.replace('@', &writer.names.with_prefix(""));
        let _ = match writer.language {
            Language::C => {
                let parameters: Vec<String> = parameters.iter().map(|name| format!("double {name}")).collect();
                writeln!(
                    text,
                    "static inline double {name}({})\n{{\n    {code}\n}}",
                    parameters.join(", ")
                )
            }
            Language::Rust => {
                let parameters: Vec<String> = parameters.iter().map(|name| format!("{name}: f64")).collect();
                writeln!(
                    text,
                    "#[inline]\nfn {name}({}) -> f64 {{\n    {code}\n}}",
                    parameters.join(", ")
                )
            }
        };
    }
}

/// Numbers with commas between them, on lines of their own.
fn cells(text: &mut String, cells: &[f64]) {
    let mut code = Code::at_depth(1);
    let cells: Vec<String> = cells.iter().map(|cell| literal(*cell)).collect();
    code.line(&format!("{},", cells.join(", ")));
    // Continued lines need no further indentation here.
    for line in code.text.lines() {
        let _ = writeln!(text, "    {}", line.trim_start());
    }
}

fn table(text: &mut String, writer: &Writer<'_>, lookup: &Lookup) {
    let (low, high) = (*lookup.range.start(), *lookup.range.end());
    let (name, table) = (&lookup.name, &lookup.table);
    text.push('\n');
    comment::document(
        text,
        writer.language,
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
    let c = format!(
        "static inline double {name}(int x)\n{{\n    x = x < {low} ? {low} : x > {high} ? {high} : x;\n    return \
         {table}[{index}];\n}}"
    );
    let rust = format!(
        "#[inline]\nfn {name}(x: i32) -> f64 {{\n    let x = x.clamp({low}, {high});\n    {table}[({index}) as usize]\n}}"
    );
    static_table(text, writer.language, table, &[&lookup.cells], [c, rust]);
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
fn grid(text: &mut String, writer: &Writer<'_>) {
    let Some((grid, function, table)) = &writer.grid else {
        return;
    };
    let columns = grid.columns();
    let (last_row, last_column) = (grid.cells().len() / columns - 1, columns - 1);
    text.push('\n');
    comment::document(
        text,
        writer.language,
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
    static_table(text, writer.language, table, &rows, [c, rust]);
}

fn function(text: &mut String, policy: &Policy, writer: &Writer<'_>, parameters: &[Fact], body: &str) {
    text.push('\n');
    let mut lines = "The reduction of a move, in plies.".to_owned();
    if policy.definition().finish.can_extend() {
        lines.push_str(" Below 0 the move is extended.");
    }
    for fact in parameters {
        let _ = write!(lines, "\n{}: {}", fact.info().name, meaning(*fact, writer, None));
    }
    comment::document(text, writer.language, "", &lines);
    let name = writer.names.with_prefix("reduction");
    let _ = match writer.language {
        Language::C => {
            let parameters: String = parameters
                .iter()
                .map(|fact| format!(", double {}", fact.info().name))
                .collect();
            writeln!(
                text,
                "static inline int {name}(const struct {} *facts{parameters})\n{{\n{body}}}",
                writer.names.with_prefix("facts")
            )
        }
        Language::Rust => {
            let parameters: String = parameters
                .iter()
                .map(|fact| format!(", {}: f64", fact.info().name))
                .collect();
            writeln!(
                text,
                "#[inline]\npub fn {name}(facts: &Facts{parameters}) -> i32 {{\n{body}}}"
            )
        }
    };
}
