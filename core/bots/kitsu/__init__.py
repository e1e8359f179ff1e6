"""How Kitsu! is thought about: begin reading in model.py."""
