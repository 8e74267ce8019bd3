"""Rule-based players, one file a game; importing this registers them all with the engine."""

import importlib
import pkgutil

for _game in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_game.name}")
