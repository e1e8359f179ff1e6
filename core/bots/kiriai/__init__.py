"""How Kiri-ai is thought about: begin reading in model.py."""
