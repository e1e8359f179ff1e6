"""How Kuzushi is thought about: begin reading in model.py."""
