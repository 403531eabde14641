//! What some commands share: options, how they are read, and what is done with them.

pub(crate) mod adjudication_options;
pub(crate) mod conditions;
pub(crate) mod configuration;
pub(crate) mod counts;
pub(crate) mod engine_words;
pub(crate) mod experiment;
pub(crate) mod hosted;
pub(crate) mod lab_options;
pub(crate) mod machines;
pub(crate) mod measure_options;
pub(crate) mod one_of;
pub(crate) mod part_option;
pub(crate) mod playing;
pub(crate) mod policy_file;
pub(crate) mod starter_files;
pub(crate) mod tournament_options;
pub(crate) mod typed_line;
pub(crate) mod whole_number;
