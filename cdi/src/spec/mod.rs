//! The CDI document.
