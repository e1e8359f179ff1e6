"""How Kumo Hogosha is thought about: begin reading in model.py."""
