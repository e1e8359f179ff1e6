"""How Kitsune is thought about: begin reading in model.py."""
