//! Changes of a scheme: parameters get other values, and rules are switched on and off.

use std::fmt;

use crate::runtime::nearest::advice;
use crate::runtime::number::number;
use crate::runtime::scheme::Scheme;

impl Scheme {
    /// Gives a parameter another value.
    ///
    /// # Errors
    /// When there is no such parameter, or the value is outside its bounds or not finite.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ChangeError> {
        let known = self.parameters.iter().map(|parameter| parameter.name.as_str());
        let Some(place) = known.clone().position(|known| known == name) else {
            let element = format!("{name}[0]");
            let advice = match known.clone().any(|known| known == element) {
                true => format!("it is a list: name an element, as in `{element}`"),
                false => advice(name, known, "parameters"),
            };
            let message = format!("the policy has no parameter `{name}`");
            return Err(ChangeError { message, advice });
        };
        let parameter = &mut self.parameters[place];
        let (min, max) = (parameter.min, parameter.max);
        if !(min..=max).contains(&value) {
            return Err(ChangeError {
                message: format!("{value} is out of bounds for parameter `{name}`"),
                advice: format!("`{name}` may be from {min} to {max}"),
            });
        }
        parameter.value = value;
        Ok(())
    }

    /// Switches a rule on or off.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn enable_rule(&mut self, name: &str, enabled: bool) -> Result<(), ChangeError> {
        let known = self.rules.iter().map(|rule| rule.name.as_str());
        let Some(place) = known.clone().position(|known| known == name) else {
            return Err(ChangeError {
                message: format!("the policy has no rule `{name}`"),
                advice: advice(name, known, "rules"),
            });
        };
        self.rules[place].enabled = enabled;
        Ok(())
    }

    /// Changes parameters and rules, as in `base=0.9,-rule,+rule`. An empty text changes nothing.
    ///
    /// # Errors
    /// When a name is unknown, a value is outside its bounds, or a word is none of the three forms.
    pub fn change(&mut self, changes: &str) -> Result<(), ChangeError> {
        for word in changes.split(',').filter(|_| !changes.is_empty()) {
            let word = word.trim();
            if let Some((name, value)) = word.split_once('=') {
                let (name, value) = (name.trim(), value.trim());
                let wrong = || ChangeError {
                    message: format!("`{value}` is no number for the parameter `{name}`"),
                    advice: format!("write, for example, `{name}=2`"),
                };
                self.set_parameter(name, number(value).ok_or_else(wrong)?)?;
            } else if let Some(name) = word.strip_prefix('-') {
                self.enable_rule(name, false)?;
            } else if let Some(name) = word.strip_prefix('+') {
                self.enable_rule(name, true)?;
            } else {
                return Err(ChangeError {
                    message: format!("`{word}` is no change"),
                    advice: "write `parameter=value`, `-rule` or `+rule`, with commas between them".to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// Why a change to a program is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeError {
    message: String,
    advice: String,
}

impl ChangeError {
    /// What is wrong, without the advice.
    pub fn message(&self) -> String {
        self.message.clone()
    }

    /// What to do about it.
    pub fn advice(&self) -> String {
        self.advice.clone()
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.advice)
    }
}

impl std::error::Error for ChangeError {}
