//! Pages of whole runs.

mod hostile;
mod markup;
mod small_run;
