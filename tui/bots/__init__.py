"""Bots beside the app: their process, the protocol with it, what they say of positions."""
