"""Tables without a screen: who sits where, what is played, how it is told. No Textual."""
