"""Kitsu!: begin reading in rules.py, beside docs/rules/kitsu.md."""
