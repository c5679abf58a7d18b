"""``python -m placement profile``: what a federation has, by place and by kind of accelerator."""
