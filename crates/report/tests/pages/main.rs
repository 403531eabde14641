//! Pages of whole runs.

mod games;
mod hostile;
mod markup;
mod small_run;
