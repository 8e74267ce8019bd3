"""Phases read from an observation."""

import dataclasses

import numpy as np
import pytest

from karty.envs.games import find_game
from karty.envs.layout import Layout, number
from karty.training.phases import Phases

LAYOUT = find_game("tysiac").shape().observation


def test_the_phase_is_the_one_of_the_observations_field_for_any_shape_of_rows():
    phases = Phases(LAYOUT)
    rows = np.zeros((2, 3, LAYOUT.size), np.int8)
    wanted = [["play", "give", "auction"], ["contract", "play", "play"]]
    for i, line in enumerate(wanted):
        for j, name in enumerate(line):
            rows[i, j, LAYOUT["phase"].start + LAYOUT["phase"].values.index(name)] = 1
    assert [[phases.names[k] for k in line] for line in phases.of(rows)] == wanted


@pytest.mark.parametrize("more", [[], [dataclasses.replace(number("a number so called", 0, 3), name="phase")]])
def test_a_game_without_phases_has_one(more):
    layout = Layout([*(field for field in LAYOUT.fields if field.name != "phase"), *more], np.int8)
    phases = Phases(layout)
    assert phases.names == ("play",)
    assert phases.of(np.ones((4, layout.size), np.int8)).tolist() == [0, 0, 0, 0]
