"""Where a calibration can be written, and the names of its figures."""

from pathlib import Path

import pytest

from gate.errors import UsageError
from gate.reports.calibration_document import FIGURES
from gate.reports.calibration_told import check
from gate.reports.calibration_words import MEANINGS, name


@pytest.mark.parametrize("suffix", [".json", ".html", ".HTML"])
def test_forms_that_can_be_written(tmp_path: Path, suffix: str) -> None:
    check([tmp_path / f"out{suffix}"])


@pytest.mark.parametrize("wrong", ["out.txt", "out"])
def test_other_forms_are_refused_before_anything_is_paid_for(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(UsageError, match="no calibration is written as"):
        check([tmp_path / "good.json", tmp_path / wrong])


def test_every_figure_has_a_meaning_and_a_name_for_people() -> None:
    assert set(FIGURES) <= set(MEANINGS)
    assert [name(key) for key in ("f1", "ece", "false_pass_rate")] == ["F1", "calibration error", "false pass rate"]
