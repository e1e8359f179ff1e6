"""The match as the sum of signed posts, the same on every terminal; pure."""
