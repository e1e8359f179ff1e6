"""One terminal at a table as a pure state machine: (session, input, now) to (session, effects)."""
