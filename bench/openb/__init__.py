"""Alibaba's OpenB trace as a federation of twelve clusters, and how each method places it."""
