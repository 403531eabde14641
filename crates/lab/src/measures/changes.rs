//! Variants of variants.

use std::sync::Arc;

use lmrlab_policy::Policy;
use lmrlab_policy::policy::OverrideError;

use crate::variant::Variant;

impl Variant {
    /// The same with a rule switched on or off, under a name that every command understands.
    ///
    /// # Errors
    /// When the policy has no such rule.
    pub fn with_rule(&self, rule: &str, enabled: bool) -> Result<Self, OverrideError> {
        let mut policy = (*self.policy).clone();
        policy.enable_rule(rule, enabled)?;
        let sign = if enabled { '+' } else { '-' };
        Ok(self.changed(&format!("{sign}{rule}"), policy))
    }

    /// The same with another value of a parameter, under a name that every command understands.
    ///
    /// # Errors
    /// When the policy has no such parameter, or the value is not within its bounds.
    pub fn with_parameter(&self, name: &str, value: f64) -> Result<Self, OverrideError> {
        let mut policy = (*self.policy).clone();
        policy.set_parameter(name, value)?;
        Ok(self.changed(&format!("{name}={value}"), policy))
    }

    fn changed(&self, change: &str, policy: Policy) -> Self {
        // An `@` before the last `/` belongs to a folder's name.
        let file = self.name.rfind('/').map_or(0, |slash| slash + 1);
        let separator = if self.name[file..].contains('@') {
            ','
        } else {
            '@'
        };
        Self {
            name: format!("{}{separator}{change}", self.name),
            policy: Arc::new(policy),
            ..self.clone()
        }
    }
}
