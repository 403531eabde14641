//! Macros for tables that read best with one row a line.

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

            /// What it means.
            pub const fn meaning(self) -> &'static str {
                [$($meaning),*][self as usize]
            }
        }
    };
}
