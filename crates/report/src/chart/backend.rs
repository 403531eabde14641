//! What plotters draws axes and grids with: [`Elements`], in tenths of the picture's units.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters::style::RGBColor;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform,
};

use super::svg::{Anchor, Dash, Elements, Ink, Words, text_width};

/// plotters counts in whole units: this number of them is one unit of the picture.
pub(super) const FINENESS: f64 = 10.0;

/// A drawing that plotters and the chart share: both write to it.
#[derive(Clone)]
pub(super) struct Backend {
    pub(super) elements: Rc<RefCell<Elements>>,
    pub(super) size: (f64, f64),
}

/// plotters knows only colours, so each ink has one.
pub(super) fn colour(ink: Ink) -> RGBColor {
    match ink {
        Ink::Note => RGBColor(1, 0, 0),
        Ink::Axis => RGBColor(2, 0, 0),
        Ink::Grid => RGBColor(3, 0, 0),
        _ => RGBColor(0, 0, 0),
    }
}

fn ink(colour: BackendColor) -> Ink {
    match colour.rgb.0 {
        1 => Ink::Note,
        2 => Ink::Axis,
        3 => Ink::Grid,
        _ => Ink::Text,
    }
}

fn place((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / FINENESS, f64::from(y) / FINENESS)
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Backend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        ((self.size.0 * FINENESS) as u32, (self.size.1 * FINENESS) as u32)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        if style.color().alpha > 0.0 {
            let mut elements = self.elements.borrow_mut();
            elements.line(place(from), place(to), ink(style.color()), 1.0, Dash::Solid);
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        if style.color().alpha > 0.0 {
            let points: Vec<_> = path.into_iter().map(place).collect();
            self.elements
                .borrow_mut()
                .path(&points, ink(style.color()), 1.0, Dash::Solid);
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        use plotters_backend::text_anchor::VPos;
        let size = style.size() / FINENESS;
        let upwards = !matches!(style.transform(), FontTransform::None);
        let below = match style.anchor().v_pos {
            VPos::Top => 0.8 * size,
            VPos::Center => 0.35 * size,
            VPos::Bottom => -0.2 * size,
        };
        let (x, y) = place(at);
        let at = if upwards { (x + below, y) } else { (x, y + below) };
        let words = Words {
            anchor: match style.anchor().h_pos {
                HPos::Left => Anchor::Start,
                HPos::Center => Anchor::Middle,
                HPos::Right => Anchor::End,
            },
            ink: ink(style.color()),
            upwards,
            ..Words::new(text, size)
        };
        self.elements.borrow_mut().words(at, words);
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((text_width(text, style.size()) as u32, style.size() as u32))
    }
}
