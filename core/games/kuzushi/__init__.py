"""Kuzushi: begin reading in rules.py, beside docs/rules/kuzushi.md."""
