//! Pictures as PNG files.

use lmrlab_runner::failure::Failure;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::chart::Picture;

/// Pixels for each unit of a picture.
const SCALE: f32 = 2.0;

/// Draws pictures on light ground, with the fonts of this machine.
pub struct Painter(Options<'static>);

impl Painter {
    /// Looks for the fonts.
    ///
    /// # Errors
    /// When there are none: words could not be drawn.
    pub fn new() -> Result<Self, Failure> {
        let mut options = Options::default();
        let fonts = options.fontdb_mut();
        fonts.load_system_fonts();
        // The font that `sans-serif` stands for may not be installed.
        let families = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"];
        let has = |family: &&str| {
            fonts
                .faces()
                .any(|face| face.families.iter().any(|(name, _)| name == family))
        };
        let first = fonts
            .faces()
            .next()
            .and_then(|face| face.families.first())
            .map(|(name, _)| name.clone());
        let Some(family) = families.into_iter().find(has).map(str::to_owned).or(first) else {
            let error = "no font is installed that PNG files could be written with; install one, such as DejaVu Sans, or write SVG";
            return Err(Failure::run(error));
        };
        fonts.set_sans_serif_family(family.clone());
        options.font_family = family;
        Ok(Self(options))
    }

    /// A picture as the bytes of a PNG file.
    ///
    /// # Errors
    /// When it cannot be drawn. This does not happen to pictures of this crate.
    pub fn png(&self, picture: &Picture) -> Result<Vec<u8>, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::run(format!("cannot draw `{}`: {error}", picture.id));
        let tree = Tree::from_str(&picture.file(true), &self.0).map_err(|error| wrong(&error))?;
        let size = tree.size().to_int_size();
        let (width, height) = (size.width() * SCALE as u32, size.height() * SCALE as u32);
        let mut pixels = Pixmap::new(width, height).ok_or_else(|| wrong(&"it has no size"))?;
        resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| wrong(&error))
    }
}
