"""What crosses the wire: fields, frames, messages; pure, limits first."""
