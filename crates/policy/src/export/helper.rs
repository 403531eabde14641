//! The helper functions of an exported file. A file has those that it calls.

/// A function that C lacks, or that must treat its edge cases as the policy language does.
pub(super) struct Helper {
    /// The word of its operation.
    pub(super) word: &'static str,
    /// Its name in a file.
    pub(super) name: &'static str,
    /// The word of the helper that it calls; empty when it calls none.
    pub(super) calls: &'static str,
    /// What it does.
    pub(super) meaning: &'static str,
    /// Its body in C and in Rust, with `@` before the name of the helper that it calls.
    pub(super) bodies: [&'static str; 2],
    /// Whether the C function needs `math.h`.
    pub(super) needs_math: bool,
    /// Whether it calls a function of the system. The last bit of such a function differs between systems.
    pub(super) is_of_the_system: bool,
}

impl Helper {
    /// Its parameters.
    pub(super) fn parameters(&self) -> &'static [&'static str] {
        let has_two = self.bodies.iter().any(|body| body.contains('y'));
        if has_two { &["x", "y"] } else { &["x"] }
    }
}

macro_rules! helpers {
    ($($word:literal $name:literal $calls:literal [$math:literal $system:literal] $meaning:literal $c:literal $rust:literal;)*) => {
        /// Every helper. One that calls another comes after it.
        pub(super) const HELPERS: &[Helper] = &[$(Helper {
            word: $word,
            name: $name,
            calls: $calls,
            meaning: $meaning,
            bodies: [$c, $rust],
            needs_math: $math,
            is_of_the_system: $system,
        }),*];
    };
}

// The word, the name, the helper that it calls, whether it needs math.h, whether the system decides its last bit.
helpers! {
    "min" "minimum" "" [false false] "The lesser of two numbers." "return x < y ? x : y;" "if x < y { x } else { y }";
    "max" "maximum" "" [false false] "The greater of two numbers." "return x > y ? x : y;" "if x > y { x } else { y }";
    "abs" "absolute" "" [false false] "Without its sign." "return x < 0.0 ? -x : x;" "x.abs()";
    "trunc" "truncated" "" [false false] "Cut towards zero."
        "return x > -4503599627370496.0 && x < 4503599627370496.0 ? (double)(long long)x : x;"
        "if x > -4503599627370496.0 && x < 4503599627370496.0 { x as i64 as f64 } else { x }";
    "floor" "rounded_down" "trunc" [false false] "The next whole number below."
        "const double cut = @truncated(x);\n    return x < cut ? cut - 1.0 : cut;"
        "let cut = @truncated(x);\n    if x < cut { cut - 1.0 } else { cut }";
    "ceil" "rounded_up" "trunc" [false false] "The next whole number above."
        "const double cut = @truncated(x);\n    return x > cut ? cut + 1.0 : cut;"
        "let cut = @truncated(x);\n    if x > cut { cut + 1.0 } else { cut }";
    "round" "rounded" "trunc" [false false] "The nearest whole number; halves away from zero."
        "const double cut = @truncated(x);\n    return x - cut >= 0.5 ? cut + 1.0 : x - cut <= -0.5 ? cut - 1.0 : cut;"
        "let cut = @truncated(x);\n    if x - cut >= 0.5 { cut + 1.0 } else if x - cut <= -0.5 { cut - 1.0 } else { cut }";
    "/" "divided" "" [false false] "A quotient; 0 when divided by 0."
        "return y == 0.0 ? 0.0 : x / y;" "if y == 0.0 { 0.0 } else { x / y }";
    "%" "remainder" "" [true false] "A remainder with the sign of the first number; 0 when divided by 0."
        "return y == 0.0 ? 0.0 : fmod(x, y);" "if y == 0.0 { 0.0 } else { x % y }";
    "sqrt" "square_root" "" [true false] "A square root; 0 below 0." "return x > 0.0 ? sqrt(x) : 0.0;" "x.max(0.0).sqrt()";
    "ln" "natural_logarithm" "" [true true] "A natural logarithm; 0 where there is none."
        "return x > 0.0 ? log(x) : 0.0;" "if x > 0.0 { x.ln() } else { 0.0 }";
    "log2" "binary_logarithm" "" [true true] "A logarithm to base 2; 0 where there is none."
        "return x > 0.0 ? log2(x) : 0.0;" "if x > 0.0 { x.log2() } else { 0.0 }";
    "exp" "exponential" "" [true true] "The exponential function." "return exp(x);" "x.exp()";
    "pow" "power" "" [true true] "A power; 0 where there is none."
        "const double value = pow(x, y);\n    return value != value || (x == 0.0 && y < 0.0) ? 0.0 : value;"
        "let value = x.powf(y);\n    if value.is_nan() || (x == 0.0 && y < 0.0) { 0.0 } else { value }";
}
