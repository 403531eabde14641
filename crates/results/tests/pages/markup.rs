//! Takes HTML apart, as strictly as XML: each element ends, in its order; attributes stand in quotes.

/// An element.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// What stands in it, when it is a script or a style sheet.
    pub(crate) raw: String,
}

const WITHOUT_END: [&str; 5] = ["meta", "br", "hr", "link", "input"];

/// The elements of a page in their order; or what is wrong, with the place.
pub(crate) fn elements(html: &str) -> Result<Vec<Element>, String> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html
        .strip_prefix("<!DOCTYPE html>")
        .ok_or("it does not begin as a page")?;
    while let Some(at) = rest.find('<') {
        let here = |what: &str| Err(format!("{what}: {}", rest[at..].chars().take(80).collect::<String>()));
        if rest[..at].contains('>') {
            return here("a bare `>` before");
        }
        let tag = &rest[at + 1..];
        if let Some(end) = tag.strip_prefix('/') {
            let Some((name, after)) = end.split_once('>') else {
                return here("an end tag without its end");
            };
            if open.pop().as_deref() != Some(name) {
                return here("an end tag of another element");
            }
            rest = after;
            continue;
        }
        let name: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
        if name.is_empty() {
            return here("a bare `<`");
        }
        let mut element = Element {
            name: name.to_ascii_lowercase(),
            attributes: Vec::new(),
            raw: String::new(),
        };
        let mut inside = &tag[name.len()..];
        let closed = loop {
            inside = inside.trim_start();
            if let Some(after) = inside.strip_prefix("/>") {
                inside = after;
                break true;
            }
            if let Some(after) = inside.strip_prefix('>') {
                inside = after;
                break false;
            }
            let is_name = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | ':');
            let attribute: String = inside.chars().take_while(is_name).collect();
            if attribute.is_empty() {
                return here("no attribute");
            }
            inside = &inside[attribute.len()..];
            let value = match inside.strip_prefix("=\"") {
                None => "",
                Some(value) => {
                    let Some((value, after)) = value.split_once('"') else {
                        return here("a value without its end");
                    };
                    inside = after;
                    value
                }
            };
            element.attributes.push((attribute, value.to_owned()));
        };
        rest = inside;
        if matches!(element.name.as_str(), "script" | "style") {
            let end = format!("</{}>", element.name);
            let Some((raw, after)) = rest.split_once(end.as_str()) else {
                return here("a script without its end");
            };
            element.raw = raw.to_owned();
            rest = after;
        } else if !closed && !WITHOUT_END.contains(&element.name.as_str()) {
            open.push(name);
        }
        found.push(element);
    }
    match open.is_empty() {
        true => Ok(found),
        false => Err(format!("these do not end: {open:?}")),
    }
}
