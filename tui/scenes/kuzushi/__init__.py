"""Kuzushi on the table: begin reading in scene.py."""
