//! Writing a document: the same bytes for the same content.

use super::{Format, Spec};

impl Spec {
    /// The document as text that ends in a line break.
    ///
    /// Strings that a reader of YAML 1.1 could take for something else (`0`, `1:0`, `yes`) are quoted.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Json => {
                let mut text =
                    serde_json::to_string(self).expect("names, numbers and lists have a json form");
                text.push('\n');
                text
            }
            Format::Yaml => self.yaml(),
        }
    }

    /// JSON for people: as [`Format::Json`], indented.
    #[must_use]
    pub fn render_pretty(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("names, numbers and lists have a json form");
        text.push('\n');
        text
    }

    fn yaml(&self) -> String {
        let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
        let text = serde_saphyr::to_string_with_options(self, options);
        let mut text = text.expect("names, numbers and lists have a yaml form");
        text.insert_str(0, "---\n");
        text
    }
}
