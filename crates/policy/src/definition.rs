//! Reads and checks a policy file. All mistakes are reported at once.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostics, Document, Source, Text, TomlTable};
use lmrlab_host::runtime::expression::Grid;
use lmrlab_host::runtime::{Effect, Expression, Rule, Scheme};

use crate::complaint::Complain;
use crate::contradiction::Contradictions;
use crate::expression::parser::{self, Parser};
use crate::expression::scope::{Let, Scope};
use crate::facts::{Fact, FactSet, Kind};
use crate::finish;
use crate::history::History;
use crate::inherit;
use crate::lets;
use crate::own_facts::{self, Places};
use crate::parameter::{self, DeclaredParameter};
use crate::research::{self, Research};

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

/// The places of a rule.
struct RulePlaces {
    name: Range<usize>,
    when: Range<usize>,
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
        mentions: RefCell::default(),
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

/// Checks a name: names appear in file names, in overrides and in tables of results.
fn check_name(table: &TomlTable<'_>, name: &Text, of: &str) {
    let dot = of == "policy";
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || (dot && c == '.');
    let first = name.value.starts_with(|c: char| c.is_ascii_alphanumeric());
    if first && name.value.len() <= 64 && name.value.chars().all(good) {
        return;
    }
    let help = match dot {
        true => "use up to 64 letters, digits, `-`, `_` and `.`, as in `mediocre-2007`",
        false => "use up to 64 letters, digits, `-` and `_`, as in `history-bad`",
    };
    let message = format!("`{}` cannot be the name of a {of}", name.value);
    table.wrong(message, name.span.clone(), "not a name", help);
}

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

fn rules(root: &TomlTable<'_>, reader: &Reader<'_>, inherits: bool) -> (Vec<Rule>, Vec<RulePlaces>) {
    let mut rules: Vec<Rule> = Vec::new();
    let mut all_places = Vec::new();
    for table in root.tables("rule") {
        let Some((rule, places)) = rule(table, reader, inherits) else {
            continue;
        };
        if rules.iter().any(|other| other.name == rule.name) {
            let message = format!("two rules are called `{}`", rule.name);
            let help = "choose another name: rules are switched on and off by name";
            root.wrong(message, places.name.clone(), "this name is taken", help);
        }
        rules.push(rule);
        all_places.push(places);
    }
    (rules, all_places)
}

fn rule(table: TomlTable<'_>, reader: &Reader<'_>, inherits: bool) -> Option<(Rule, RulePlaces)> {
    let name = table.require("name", table.text("name"));
    if let Some(name) = &name {
        check_name(&table, name, "rule");
    }
    let when_span = table.place_of_value("when");
    let when = match table.has("when") {
        true => reader.boolean(&table, "when"),
        false => Some(Expression::TRUE),
    };
    let effect = effect(&table, reader, ["add", "mul", "set"]);
    let otherwise = self::effect(&table, reader, ["else_add", "else_mul", "else_set"]);
    let cap = reader.number(&table, "cap");
    let stop = table.boolean("stop").unwrap_or(false);
    let enabled = table.boolean("enabled").unwrap_or(true);
    let acts = ["add", "mul", "set", "else_add", "else_mul", "else_set", "cap"];
    // An unknown key may be a misspelt one of these; its own message is enough.
    let acts_at_all = stop || acts.iter().any(|key| table.has(key));
    if !acts_at_all && !table.has_unread_keys() {
        let place = match table.has("name") {
            true => table.place_of_value("name"),
            false => table.span(),
        };
        let help = match inherits {
            true => {
                "add an effect, such as `add = \"1\"`; a rule inherits its effect only from a rule of the same name"
            }
            false => "add an effect, such as `add = \"1\"`",
        };
        let label = "no `add`, `mul`, `set`, `cap` or `stop`";
        table.wrong("this rule does nothing", place, label, help);
    }
    if let Some(key) = acts.iter().find(|key| key.starts_with("else") && table.has(key))
        && !table.has("when")
    {
        let message = format!("`{key}` needs a `when`");
        let help = "a rule without `when` applies to every move";
        table.wrong(message, table.place_of(key), "this never happens", help);
    }
    table.close();
    let name = name?;
    let places = RulePlaces {
        name: name.span,
        when: when_span,
    };
    let rule = Rule {
        name: name.value,
        when: when?,
        effect,
        otherwise,
        cap,
        stop,
        enabled,
        default: enabled,
    };
    Some((rule, places))
}

/// The effect of a rule, under one of three keys: add, multiply, set.
fn effect(table: &TomlTable<'_>, reader: &Reader<'_>, keys: [&str; 3]) -> Option<(Effect, Expression)> {
    let effects = [Effect::Add, Effect::Multiply, Effect::Set];
    let read = keys.map(|key| reader.number(table, key));
    let given: Vec<_> = keys.iter().filter(|key| table.has(key)).collect();
    if let [first, second, ..] = given.as_slice() {
        let message = "a rule either adds, multiplies or sets";
        let help = "split it into two rules";
        let label = &format!("`{first}` is there too");
        table.wrong(message, table.place_of(second), label, help);
    }
    let mut effects = effects.into_iter().zip(read);
    effects.find_map(|(effect, number)| Some((effect, number?)))
}

/// Reads expressions in the scope of one file.
struct Reader<'d> {
    document: &'d Document,
    scope: Scope,
    mentions: RefCell<Mentions>,
}

#[derive(Default)]
struct Mentions {
    lets: Vec<usize>,
    /// Where `history` is mentioned.
    history: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn number(&self, table: &TomlTable<'_>, key: &str) -> Option<Expression> {
        self.expression(table, key, Kind::Number)
    }

    fn boolean(&self, table: &TomlTable<'_>, key: &str) -> Option<Expression> {
        self.expression(table, key, Kind::Boolean)
    }

    fn expression(&self, table: &TomlTable<'_>, key: &str, wanted: Kind) -> Option<Expression> {
        let (text, place) = (table.text(key)?, format!("`{key}`"));
        let of_kind = |parser: &mut Parser<'_>, whole| match wanted {
            Kind::Number => parser.number(whole, &place),
            Kind::Boolean => parser.boolean(whole, &place),
        };
        let reading = parser::read(self.document, &text, &self.scope, of_kind);
        let mut mentions = self.mentions.borrow_mut();
        mentions.lets.extend(reading.lets);
        for (fact, span) in reading.facts {
            let known = match table.path() {
                "rule" => !fact.is_of_research(),
                "research" => !fact.is_of_rules(),
                _ => !fact.is_of_research() && !fact.is_of_rules(),
            };
            if !known {
                let name = fact.name();
                let (label, place) = match fact.is_of_rules() {
                    true => ("outside the rules", "the expressions of `[[rule]]`"),
                    false => ("before the reduced search", "`deeper` and `shallower` in `[research]`"),
                };
                let mentioned = text.value.get(span.clone()).filter(|mentioned| *mentioned != name);
                let label = mentioned.map_or(label.to_owned(), |mentioned| format!("`{mentioned}` mentions it"));
                let help = format!("only {place} may mention `{name}`");
                let message = format!("`{name}` is not known here");
                table.wrong(message, text.place(span.clone()), &label, &help);
            }
            if fact == Fact::History {
                mentions.history.push(text.place(span));
            }
        }
        reading.value
    }

    /// Warns of what is declared and not mentioned.
    fn warn_of_unused(&self, root: &TomlTable<'_>, scheme: &Scheme, history: Option<History>, own_places: &Places) {
        let mentions = self.mentions.borrow();
        let (mut facts, mut parameters, mut table) = (FactSet::default(), Vec::new(), false);
        for expression in scheme.expressions() {
            facts = facts.union(expression.facts());
            expression.walk(&mut |part| match part {
                Expression::Parameter(index) => parameters.push(*index),
                Expression::Table(..) => table = true,
                _ => {}
            });
        }
        if mentions.history.is_empty() && history.is_some_and(|history| !history.orders_moves) {
            let message = "the history table is never used";
            let help = "mention `history`, set `orders_moves = true`, or remove it";
            let label = "no expression mentions `history`, and it does not order moves";
            root.warn(message, root.place_of("history"), label, help);
        }
        let unused = |message: String, place: Range<usize>, label: &str, help: &str| {
            if self.document.is_own(&place) {
                root.warn(message, place, label, help);
            }
        };
        if self.scope.grid.is_some() && !table {
            let help = "read it with `table(depth, move_number)`";
            unused("`table` is never read".to_owned(), root.place_of("table"), "", help);
        }
        for (name, place) in own_places {
            if !scheme.own.named(name).is_some_and(|fact| facts.contains(fact)) {
                let message = format!("the fact `{name}` is never read");
                unused(message, place.clone(), "no expression mentions it", "remove it");
            }
        }
        for (index, Let { name, .. }) in self.scope.lets.iter().enumerate() {
            if let Some(table) = root.table("let").filter(|_| !mentions.lets.contains(&index)) {
                let label = "no rule and no other key mentions it";
                unused(
                    format!("`{name}` of `[let]` is never used"),
                    table.place_of(name),
                    label,
                    "",
                );
            }
        }
        for DeclaredParameter { name, first, elements } in &self.scope.parameters {
            let places = *first..first + elements.unwrap_or(1);
            let is_used = parameters.iter().any(|index| places.contains(index));
            if let Some(table) = root.table("param").filter(|_| !is_used) {
                let message = format!("parameter `{name}` is never used");
                unused(message, table.place_of(name), "no expression mentions it", "");
            }
        }
    }
}

/// Warns of conditions that hold for no move, whatever the parameters are.
fn warn(root: &TomlTable<'_>, scheme: &Scheme, places: &[RulePlaces]) {
    let mut contradictions = Contradictions::new();
    let when = scheme.when.normalised();
    if !contradictions.can_hold(&[&when]) {
        if scheme.reduce.normalised() != Expression::Constant(0.0) {
            let help = "if that is meant, write `reduce = \"0\"`";
            let place = root.place_of_value("when");
            root.warn("this policy never reduces anything", place, "holds for no move", help);
        }
        return;
    }
    let rules = scheme.rules.iter().zip(places);
    for (rule, places) in rules.filter(|(rule, _)| rule.enabled) {
        let condition = rule.when.normalised();
        let name = rule.name.as_str();
        let never = match rule.otherwise {
            None => format!("rule `{name}` never applies"),
            Some(_) => format!("the condition of rule `{name}` never holds"),
        };
        if !contradictions.can_hold(&[&condition]) {
            let help = match rule.otherwise {
                None => "to switch it off, write `enabled = false`",
                Some(_) => "the `else_` effect applies to every move: make it the rule's only effect",
            };
            root.warn(never, places.when.clone(), "holds for no move", help);
        } else if !contradictions.can_hold(&[&when, &condition]) {
            let label = "holds for no move for which the policy's `when` holds";
            let help = "rules apply only to moves for which the policy's `when` holds";
            root.warn(never, places.when.clone(), label, help);
        }
    }
}
