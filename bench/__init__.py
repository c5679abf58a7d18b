"""Measurements of the engine: instances of every size, what they take, how good the answers are.

Owns everything that is timed; tests are not. It imports the engine and is imported by nothing.
"""
