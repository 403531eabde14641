//! Reads and checks a policy file. All mistakes are reported at once.

use std::ops::Range;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Document, Source, TomlTable};
use lmrlab_host::runtime::expression::Grid;
use lmrlab_host::runtime::{Expression, Scheme};

use crate::complaint::Complain;
use crate::expression::scope::{Let, Scope};
use crate::expression_reader::Reader;
use crate::finish;
use crate::history::History;
use crate::inherit;
use crate::lets;
use crate::own_facts;
use crate::parameter::{self, DeclaredParameter};
use crate::research::{self, Research};
use crate::rule_reader::{check_name, rules};
use crate::warnings::warn;

/// Most rows, and most columns, that `table` may have.
const MAX_TABLE_SIDE: usize = 256;

/// A checked policy file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definition {
    pub(crate) description: String,
    pub(crate) provenance: String,
    pub(crate) history: Option<History>,
    /// Without a hash.
    pub(crate) scheme: Scheme,
}

/// The engine for which a policy is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    /// lmrlab's own, which knows no facts but those of the catalogue.
    Lmrlab,
    /// Any engine; the policy may declare facts of that engine.
    Host,
}

impl Definition {
    /// Reads a policy. Returns it with its text: the file's own, or one text with all that it inherits.
    pub(crate) fn read(source: Source, engine: Engine) -> Result<(Self, Arc<str>, Diagnostics), Diagnostics> {
        let own = Arc::clone(&source.text);
        let (document, inherits) = inherit::read(source)?;
        let definition = read(&document, engine);
        let (definition, warnings) = document.finish(definition)?;
        let text = match inherits {
            true => inherit::flat(&document).into(),
            false => own,
        };
        Ok((definition, text, warnings))
    }
}

fn read(document: &Document, engine: Engine) -> Option<Definition> {
    let root = document.root();
    let keys: Vec<&str> = ROOT_KEYS.split(' ').collect();
    let name = root.require("name", root.text("name"));
    if let Some(name) = &name {
        check_name(&root, name, "policy");
    }
    // `inherit` has followed and checked it.
    let inherits = root.has("extends");
    let text = |key| root.text(key).map(|text| text.value).unwrap_or_default();
    let (description, provenance) = (text("description"), text("source"));
    let (parameters, declared) = root.table("param").map_or_else(Default::default, |table| {
        let read = parameter::read(&table);
        table.close();
        read
    });
    // `close` reports a misspelt table such as `[params]`. Its names count as declared here, so that expressions do not
    // report each of them again.
    let declared = match root.misspelt("param", &keys) {
        Some(table) => {
            let names = table.keys().into_iter().map(|key| key.value);
            names.map(DeclaredParameter::wrong).collect()
        }
        None => declared,
    };
    let host = root.table("host");
    if host.is_some() && engine == Engine::Lmrlab {
        let message = "this policy reads facts of another engine, and lmrlab's own search does not know them";
        let help = "`lmrlab policy compile` writes the policy for that engine";
        root.wrong(message, root.place_of("host"), "its facts", help);
    }
    let (own, own_places) = host.map_or_else(Default::default, |table| {
        let names: Vec<&str> = declared.iter().map(|parameter| parameter.name.as_str()).collect();
        own_facts::read(table, &names)
    });
    let mut scope = Scope {
        parameters: declared,
        lets: Vec::new(),
        own,
        grid: grid(&root).map(Arc::new),
        has_table: root.has("table"),
    };
    if let Some(table) = root.table("let") {
        lets::read(document, &table, &mut scope);
        table.close();
    } else if let Some(table) = root.misspelt("let", &keys) {
        let names = table.keys().into_iter().map(|key| key.value);
        scope.lets = names.map(Let::without_value).collect();
    }
    let mut reader = Reader {
        document,
        scope,
        mentions: Default::default(),
    };
    let when = match root.has("when") {
        true => reader.boolean(&root, "when"),
        false => Some(Expression::TRUE),
    };
    let reduce = root.require("reduce", reader.number(&root, "reduce"));
    let (rules, places) = rules(&root, &reader, inherits);
    let finish = root.table("finish").map(finish::read).unwrap_or_default();
    let has_history = root.has("history");
    let history = root.table("history").and_then(History::read);
    let (mut research, mut deeper, mut shallower) = (Research::default(), None, None);
    if let Some(table) = root.table("research") {
        deeper = reader.boolean(&table, "deeper");
        shallower = reader.boolean(&table, "shallower");
        research = research::read(table);
    }
    for place in reader.mentions.borrow().history.iter().filter(|_| !has_history) {
        let message = "`history` needs a history table, and this policy declares none";
        let help = "add `history = { model = \"rebel\" }`, or another of the models";
        root.wrong(message, place.clone(), "read here", help);
    }
    root.close();
    if document.diagnostics().has_errors() {
        return None;
    }
    let scheme = Scheme {
        name: name?.value,
        own: std::mem::take(&mut reader.scope.own),
        parameters,
        when: when?,
        reduce: reduce?,
        rules,
        finish,
        research,
        deeper,
        shallower,
        ..Scheme::default()
    };
    // `close` has consumed the table, but the warnings still need its places.
    let root = document.root();
    reader.warn_of_unused(&root, &scheme, history, &own_places);
    warn(&root, &scheme, &places);
    Some(Definition {
        description,
        provenance,
        history,
        scheme,
    })
}

/// The keys of a policy file.
const ROOT_KEYS: &str = "name description source extends param let when reduce rule finish history research host table";

fn grid(root: &TomlTable<'_>) -> Option<Grid> {
    if !root.has("table") {
        return None;
    }
    let rows = root.rows("table");
    let report = |message: &str, span: Range<usize>, label: String| {
        let help = "write one row for each depth from 0, and in each row one number for each move from 0";
        root.wrong(message, span, &label, help);
    };
    let width = rows.first().map_or(0, |row| row.value.len());
    if rows.is_empty() || width == 0 {
        report("`table` has no cells", root.place_of_value("table"), String::new());
        return None;
    }
    if rows.len() > MAX_TABLE_SIDE || width > MAX_TABLE_SIDE {
        report(
            "`table` is too large",
            root.place_of("table"),
            format!("at most {MAX_TABLE_SIDE} rows and columns"),
        );
        return None;
    }
    let mut good = true;
    for row in rows.iter().filter(|row| row.value.len() != width) {
        good = false;
        report(
            "the rows of `table` differ in length",
            row.span.clone(),
            format!("{} numbers here, {width} in the first", row.value.len()),
        );
    }
    if !good {
        return None;
    }
    Grid::new(rows.into_iter().flat_map(|row| row.value).collect(), width)
}
