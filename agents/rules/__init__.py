"""Compiled players, registered with the engine."""
