"""From scenes to cells: boards, pictures, and the painter that writes only what changed."""
