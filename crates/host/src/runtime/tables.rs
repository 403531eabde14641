//! Macros: tables that read best with one row a line, and refusals.

/// An array of rows.
#[doc(hidden)]
#[macro_export]
macro_rules! rows {
    ($($($cell:expr),+;)*) => {
        [$(($($cell),+)),*]
    };
}

/// An enum of plain variants, each with its name in files and its meaning.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $Name:ident { $($(#[$variant:meta])* $Variant:ident $name:literal $meaning:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $($(#[$variant])* #[doc = $meaning] $Variant,)*
        }

        impl $Name {
            /// All, each with its name.
            pub const NAMES: &[(&'static str, Self)] = &[$(($name, Self::$Variant)),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize].0
            }

            /// The one with this name.
            pub fn named(name: &str) -> Option<Self> {
                let found = Self::NAMES.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| *value)
            }

            /// What it means.
            pub const fn meaning(self) -> &'static str {
                [$($meaning),*][self as usize]
            }
        }
    };
}

/// Returns an error, a text, unless a condition holds.
#[doc(hidden)]
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}
