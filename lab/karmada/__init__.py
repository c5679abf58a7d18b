"""The real Karmada: its installation, its processes, its kinds, its members."""
