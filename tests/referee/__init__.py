"""Referees: they check finished records against the rule books and share no code with the package under test."""
