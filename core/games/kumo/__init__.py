"""Kumo Hogosha: begin reading in rules.py, beside docs/rules/kumo.md."""
