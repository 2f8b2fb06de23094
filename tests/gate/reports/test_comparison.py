"""A comparison as plain text: the word first, no list without end, no line of a stranger's."""

import copy

import pytest

from gate.reports.comparison import LISTED, told
from gate.reports.document import Comparison, VerdictDocument


@pytest.fixture
def comparison(compared: VerdictDocument) -> Comparison:
    return copy.deepcopy(compared["comparison"])


def test_all_of_it(comparison: Comparison) -> None:
    lines = told(comparison).splitlines()
    assert lines[0] == "REGRESSION"
    assert lines[1].startswith("the risk of a prompt changed by +0.375 on average")
    assert lines[2:] == [
        "base: replay / m-0; this run: replay / m-1",
        "3 prompts judged in both; one-sided p 0.031; smallest difference that could have shown: 0.300",
        "measure: cost $0.00010 → $0.00021: worse (+$0.00011 of a prompt, +$0.000010 to +$0.00021, p 0.020, n = 8)",
        "measure: consistency 0.600 → 0.500: too few prompts (−0.100 of a prompt, –, p –, n = 1)",
        "note: the base was made with other documents",
        "new: The kiln reaches 1280 degrees. (contradicted, q1)",
        "fixed: The kiln is blue. (not supported, q1)",
    ]
    assert told(comparison).endswith("\n")


def test_the_word_is_told_once_and_one_prompt_is_no_prompts(comparison: Comparison) -> None:
    comparison.update(word="too few prompts", prompts=1, measures={})
    text = told(comparison)
    assert text.lower().count("too few prompts") == 1
    assert "\n1 prompt judged in both; " in text


def test_what_is_not_known_is_a_dash(comparison: Comparison) -> None:
    comparison.update(p_value=None, smallest_detectable=None, notes=[], new=[], fixed=[])
    for key in ("prompts", "measures", "models"):
        del comparison[key]
    assert told(comparison).splitlines()[2:] == [
        "0 prompts judged in both; one-sided p –; smallest difference that could have shown: –"
    ]


@pytest.mark.parametrize(("more", "last"), [(0, None), (1, "new: and 1 more"), (1500, "new: and 1,500 more")])
def test_long_lists_are_cut_and_counted(comparison: Comparison, more: int, last: str | None) -> None:
    comparison.update(new=comparison["new"] * (LISTED + more), fixed=[])
    lines = [line for line in told(comparison).splitlines() if line.startswith("new: ")]
    assert len(lines) == LISTED + (more > 0)
    assert (lines[-1] == last) is (last is not None)


def test_a_label_is_told_in_words(comparison: Comparison) -> None:
    comparison["new"] = [{"claim": "c", "prompt_id": "q", "label": "weakly_supported"}]
    assert "new: c (weakly supported, q)" in told(comparison)


def test_strangers_text_neither_moves_the_cursor_nor_commands_a_runner(
    comparison: Comparison, poison, hostile: str
) -> None:
    plain = len(told(comparison).splitlines())
    text = told(poison(comparison, hostile))
    assert len(text.splitlines()) == plain
    assert "\x1b" not in text
    assert "##[" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
