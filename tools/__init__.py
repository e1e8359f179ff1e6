"""Run by hand and not shipped: the solver of Kiri-ai, the pictures of the README."""
