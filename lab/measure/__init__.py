"""What is predicted, held against what the real Karmada and its members do."""
