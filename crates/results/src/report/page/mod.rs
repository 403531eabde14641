//! A page: one HTML file that contains its style sheet and its script. It loads no other file.

use std::collections::HashSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::board::pieces;
use crate::report::chart::{Picture, style};
use crate::report::table::{printable, with_code};

/// Seconds after which a browser reads the page of a running run again.
pub const RELOAD_SECONDS: u32 = 10;

/// The mark by which a page of lmrlab is recognized.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"lmrlab\">";

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = concat!(include_str!("script.js"), include_str!("replay.js"));

/// A part of a page, with a heading of its own.
#[derive(Debug, Clone)]
pub struct Section {
    /// The name of the section in links: letters, digits and dashes.
    pub id: String,
    /// Its heading.
    pub heading: String,
    /// What it holds.
    pub parts: Vec<Part>,
}

/// What a section is made of.
#[derive(Debug, Clone)]
pub enum Part {
    /// Text, tables and the like.
    Markup(Markup),
    /// A picture.
    Picture(Picture),
    /// A small picture with its text. Several of them are shown side by side.
    Card(Picture, Markup),
}

impl Section {
    /// A section without parts.
    pub fn new(id: impl Into<String>, heading: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            heading: heading.into(),
            parts: Vec::new(),
        }
    }

    /// Adds text, a table or the like.
    pub fn add(&mut self, markup: Markup) {
        self.parts.push(Part::Markup(markup));
    }

    /// Adds a picture. A chart without a value is left out.
    pub fn draw(&mut self, picture: Picture) {
        if picture.shows_values {
            self.parts.push(Part::Picture(picture));
        }
    }

    /// Adds a small picture with its text. Cards that follow each other are shown side by side.
    pub fn card(&mut self, picture: Picture, text: Markup) {
        self.parts.push(Part::Card(picture, text));
    }

    /// Adds a sentence.
    pub fn say(&mut self, sentence: impl AsRef<str>) {
        self.add(html! { p { (with_code(sentence.as_ref())) } });
    }
}

/// A page.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What it is about, under the title: kind, date and the like.
    pub subtitle: String,
    /// What matters most, in one or two sentences.
    pub verdict: Markup,
    /// Its parts.
    pub sections: Vec<Section>,
    /// Seconds after which a browser reads the page again, while a run plays.
    pub reload_seconds: Option<u32>,
}

impl Page {
    /// Gives each section and picture a name of its own. Names are made of the beginnings of texts, so two may be the
    /// same.
    fn distinguished(mut self) -> Self {
        fn distinguish(id: &mut String, taken: &mut HashSet<String>) {
            let mut number = 1;
            let mut free = id.clone();
            while !taken.insert(free.clone()) {
                number += 1;
                free = format!("{id}-{number}");
            }
            *id = free;
        }
        let (mut sections, mut pictures) = (HashSet::new(), HashSet::new());
        for section in &mut self.sections {
            distinguish(&mut section.id, &mut sections);
        }
        for part in self.sections.iter_mut().flat_map(|section| &mut section.parts) {
            if let Part::Picture(picture) | Part::Card(picture, _) = part {
                distinguish(&mut picture.id, &mut pictures);
            }
        }
        self
    }

    /// Several pages as one: each result with its verdict, then its parts. One page stays as it is.
    pub fn joined(mut pages: Vec<Self>) -> Self {
        if pages.len() == 1
            && let Some(page) = pages.pop()
        {
            return page.distinguished();
        }
        let titles: Vec<String> = pages.iter().map(|page| page.title.clone()).collect();
        let reload_seconds = pages.iter().filter_map(|page| page.reload_seconds).min();
        let mut sections = Vec::new();
        for (index, page) in pages.into_iter().enumerate() {
            let number = index + 1;
            let mut first = Section::new(format!("result-{number}"), page.title.clone());
            let subtitle = printable(&page.subtitle);
            first.add(html! { p.subtitle { (subtitle) } div.verdict { (page.verdict) } });
            sections.push(first);
            for mut section in page.sections {
                section.id = format!("{}-{number}", section.id);
                section.heading = format!("{}: {}", page.title, section.heading);
                for part in &mut section.parts {
                    if let Part::Picture(picture) | Part::Card(picture, _) = part {
                        picture.id = format!("{}-{number}", picture.id);
                    }
                }
                sections.push(section);
            }
        }
        Self {
            title: titles.join(", "),
            subtitle: format!("{} results", titles.len()),
            verdict: html! {},
            sections,
            reload_seconds,
        }
        .distinguished()
    }

    /// The pictures, in their order.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        parts.filter_map(|part| match part {
            Part::Picture(picture) | Part::Card(picture, _) => Some(picture),
            Part::Markup(_) => None,
        })
    }

    /// The page as the text of a file.
    pub fn html(&self) -> String {
        let colours = format!(
            "/*pictures*/{}@media screen and (prefers-color-scheme:dark){{{}}}",
            style::light(),
            style::dark(),
        );
        let sections = html! {
            @for section in &self.sections {
                section id=(section.id) {
                    h2 { (printable(&section.heading)) }
                    @for part in &section.parts {
                        @match part {
                            Part::Markup(markup) => (markup),
                            Part::Picture(picture) => (figure(picture)),
                            Part::Card(picture, text) => div.card { (figure(picture)) (text) },
                        }
                    }
                }
            }
        };
        let markup = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    (PreEscaped(GENERATOR))
                    @if let Some(seconds) = self.reload_seconds { meta http-equiv="refresh" content=(seconds); }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    // The browser must load nothing from elsewhere, whatever the files on the page contain.
                    meta http-equiv="Content-Security-Policy"
                        content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:";
                    title { (printable(&self.title)) }
                    style { (PreEscaped(STYLE)) (PreEscaped(colours)) }
                }
                body {
                    header {
                        h1 { (printable(&self.title)) }
                        p.subtitle { (printable(&self.subtitle)) }
                        @if self.reload_seconds.is_some() {
                            p.live { "The run was still playing when this page was written. The page reloads by itself." }
                        }
                        @if !self.verdict.0.is_empty() { div.verdict { (self.verdict) } }
                        nav aria-label="Contents" {
                            @for section in &self.sections { a href={ "#" (section.id) } { (section.heading) } " " }
                        }
                    }
                    // All boards of the page use these symbols.
                    @if sections.0.contains(pieces::PREFIX) {
                        svg #symbols width="0" height="0" aria-hidden="true" { (PreEscaped(pieces::SYMBOLS)) }
                    }
                    main { (sections) }
                    footer { p { "Made by lmrlab. Errors are half-widths of 95% intervals unless something else is said." } }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        markup.into_string()
    }
}

/// A picture on a page, with the link that saves it.
fn figure(picture: &Picture) -> Markup {
    html! {
        figure id={ "picture-" (picture.id) } {
            div.scroll { (PreEscaped(picture.element())) }
            figcaption {
                a.save href="#" data-name={ (picture.id) ".svg" } hidden { "Save as SVG" }
                details { summary { "In words" } p { (printable(&picture.description)) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::axis::Axis;
    use crate::report::chart::svg::Elements;
    use crate::report::chart::{Chart, Layer};

    #[test]
    fn a_chart_without_a_value_is_left_out() {
        let chart = |layers| Chart {
            id: "c".to_owned(),
            title: String::new(),
            description: String::new(),
            x: Axis::from_zero("x", [1.0]),
            y: Axis::from_zero("y", [1.0]),
            height: 100.0,
            legend: Vec::new(),
            note: String::new(),
            layers,
        };
        let mut section = Section::new("s", "S");
        section.draw(chart(vec![Layer::Line(0, Vec::new()), Layer::Level(0.0, "even".to_owned())]).draw());
        assert!(section.parts.is_empty());
        section.draw(chart(vec![Layer::Line(0, vec![(0.0, 0.0), (1.0, 1.0)])]).draw());
        assert_eq!(section.parts.len(), 1);
    }

    #[test]
    fn parts_of_the_same_name_get_different_names() {
        let picture = || {
            Picture::new(
                "s".to_owned(),
                String::new(),
                String::new(),
                (1.0, 1.0),
                Elements::default(),
            )
        };
        let section = || {
            let mut section = Section::new("s", "S");
            section.draw(picture());
            section.card(picture(), html! {});
            section
        };
        let page = |sections| Page {
            title: "t".to_owned(),
            subtitle: String::new(),
            verdict: html! {},
            sections,
            reload_seconds: None,
        };
        let page = Page::joined(vec![page(vec![section(), section()])]);
        let pictures: Vec<&str> = page.pictures().map(|picture| picture.id.as_str()).collect();
        assert_eq!(
            pictures,
            ["s", "s-2", "s-3", "s-4"],
            "a section may be called as a picture is"
        );
        let sections: Vec<&str> = page.sections.iter().map(|section| section.id.as_str()).collect();
        assert_eq!(sections, ["s", "s-2"]);
    }
}
