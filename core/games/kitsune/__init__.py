"""Kitsune: begin reading in rules.py, beside docs/rules/kitsune.md."""
