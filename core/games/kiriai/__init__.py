"""Kiri-ai: begin reading in rules.py, beside docs/rules/kiriai.md."""
