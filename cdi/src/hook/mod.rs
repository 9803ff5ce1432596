//! What happens inside a container's root at creation.
