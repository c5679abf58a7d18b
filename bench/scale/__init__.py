"""The scale benchmark: instances of every size, what they take and how good the answers are."""
