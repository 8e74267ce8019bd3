"""What a run tells: lines of JSON that go on where they should, TensorBoard events, progress for whoever watches."""

import io
import json

import pytest
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from karty.training.log import RunLog, clock


def console(terminal=False):
    return Console(file=io.StringIO(), force_terminal=terminal, width=160)


def test_numbers_are_lines_of_json_and_tensorboard_events(tmp_path):
    with RunLog(tmp_path, console()) as log:
        log.write(10, {"loss": 0.5, "phase": "play", "kinds": {"bid": {"share": 0.25}}})
        log.write(20, {"loss": 0.25, "phase": "play", "kinds": {"bid": {"share": 0.75}}})
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines[0] == {"decisions": 10, "loss": 0.5, "phase": "play", "kinds": {"bid": {"share": 0.25}}}
    assert [line["decisions"] for line in lines] == [10, 20]
    events = EventAccumulator(str(tmp_path)).Reload()
    assert set(events.Tags()["scalars"]) == {"loss", "kinds/bid/share"}
    assert [(event.step, event.value) for event in events.Scalars("kinds/bid/share")] == [(10, 0.25), (20, 0.75)]


def test_a_resumed_log_goes_on_where_the_checkpoint_was(tmp_path):
    with RunLog(tmp_path, console()) as log:
        log.write(10, {"loss": 1.0})
        kept = log.size
        log.write(20, {"loss": 2.0})
    with open(tmp_path / "log.jsonl", "a") as file:
        file.write('{"decisions": 30, "lo')  # killed in the middle of a line
    with RunLog(tmp_path, console(), kept=kept, decisions=10) as log:
        log.write(20, {"loss": 3.0})
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines == [{"decisions": 10, "loss": 1.0}, {"decisions": 20, "loss": 3.0}]


def test_a_log_that_was_cut_is_not_filled_up_with_zeros(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"decisions": 10}\n')
    with RunLog(tmp_path, console(), kept=1000, decisions=10) as log:
        log.write(20, {"loss": 3.0})
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines == [{"decisions": 10}, {"decisions": 20, "loss": 3.0}]


def test_where_no_line_can_be_redrawn_progress_is_a_line_now_and_then(tmp_path):
    out = console()
    with RunLog(tmp_path, out) as log:
        for fraction in (0.1, 0.2, 0.3):
            log.show("playing", fraction, 100.0, "entropy 0.50")
    assert out.file.getvalue() == "playing  10% · 1 min 40 s left · entropy 0.50\n"


def test_in_a_terminal_progress_shows_time_left_and_what_is_told(tmp_path):
    out = console(terminal=True)
    with RunLog(tmp_path, out) as log:
        log.show("playing", 0.4, 100.0, "entropy 0.50")
        log._progress.refresh()
        log.say("a line")
    text = out.file.getvalue()
    assert "playing" in text
    assert "40%" in text
    assert "entropy 0.50" in text
    assert "a line" in text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (304, "5 min 04 s"), (3600, "1 h 00 min"), (3725, "1 h 02 min")],
)
def test_spans_of_time_are_written_for_people(seconds, text):
    assert clock(seconds) == text
