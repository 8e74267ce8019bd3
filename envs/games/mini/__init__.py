"""Games small enough to be solved: each a rules file beside its rule book."""
