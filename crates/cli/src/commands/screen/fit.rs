//! `lmrlab screen --fit`: fits a model to policies that were measured and have played.

use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Source;

use super::super::counts::print_json;
use super::super::print_out;
use super::Arguments;
use crate::output_files::refuse_existing;
use lmrlab_lab::screen::{Model, REFERENCE, Training, fit_text, games_against, parse_settings, settings, with_games};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;
use lmrlab_runner::project;

/// Fits, prints what the fit is worth, and writes the model. With other games the settings are written, too.
pub(super) fn run(file: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { out, csv, games, .. } = arguments;
    if csv.is_some() && games.is_none() {
        return Err(Failure::input(
            "--csv with --fit writes the settings with the games of --games, which is missing",
            "name the pairs.csv of a gauntlet, or leave --csv away",
        ));
    }
    refuse_existing(out.iter().chain(csv), arguments.keep.force())?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let path = project::typed_file(&here, file);
    let name = path.display().to_string();
    let input = |report| Failure::Input(vec![report]);
    let (found, text) = match games {
        Some(games) => {
            let games = games_against(REFERENCE, games, &games.display().to_string()).map_err(input)?;
            let text = with_games(&path, &name, &games).map_err(input)?;
            let found = parse_settings(Source::new(name.clone(), text.clone())).map_err(input)?;
            (found, Some(text))
        }
        None => (settings(&path, &name).map_err(input)?, None),
    };
    let training = Training::of(&found, &name).map_err(input)?;
    let model = Model::fit(&training)
        .map_err(|error| Failure::input(format!("`{name}`: {error}"), "name settings of more families"))?;
    let model_text = model
        .to_toml()
        .map_err(|error| Failure::Run(format!("cannot write the model: {error}")))?;
    let written = [(out, Some(&model_text)), (csv, text.as_ref())];
    for (file, text) in written {
        if let (Some(file), Some(text)) = (file, text) {
            output_file::write(file, text)?;
        }
    }
    match arguments.json {
        true => print_json(&model)?,
        false => print_out(&fit_text(&training, &model)),
    }
    arguments.page.write(csv.as_deref())
}
