"""A tiny reader learns, goes on after it was killed, and is exported: only where torch and onnx are."""

import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")
pytest.importorskip("onnx", reason="the export needs onnx")

from training import batches, cases, data, export, graph, model, train  # noqa: E402
from training.pairs import Pair  # noqa: E402

CPU = torch.device("cpu")


def epoch(size: int = 60, seed: int = 0) -> batches.Epoch:
    """Pairs that are easy to tell: the claim's token says the class; two in each group."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 4, size)
    rows, first, second = [], [], []
    for kind in label:
        middle = [7, 2] if rng.random() < 0.5 else []
        rows.append([0, 10 + kind, 2, *middle, *rng.integers(20, 40, rng.integers(3, 9)).tolist(), 2])
        first.append(3)
        second.append(3 + len(middle))
    return batches.Epoch(
        np.concatenate(rows).astype(np.uint16),
        np.cumsum([0, *map(len, rows)]),
        np.array(first, np.uint16),
        np.array(second, np.uint16),
        np.eye(4, dtype=np.uint8)[label],
        np.ones(size, np.float32),
        np.arange(size) // 2 + 1,
    )


def reader() -> model.Reader:
    torch.manual_seed(0)
    return model.Reader((50, 24, 48, 3))


def settings(work: Path, **changes: object) -> train.Settings:
    return train.Settings(work, **{"pairs": 600, "rate": 3e-3, "freeze": 0, "tokens": 120, **changes})  # type: ignore[arg-type]


def test_the_loss_falls(tmp_path: Path) -> None:
    trainer = train.Trainer(reader(), settings(tmp_path), CPU)
    trainer.run(lambda number: epoch(seed=number))
    assert trainer.progress.seen >= 600
    assert np.mean(trainer.losses[-5:]) < np.mean(trainer.losses[:5]) - 0.3


def test_a_killed_training_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    whole, first = (train.Trainer(reader(), settings(tmp_path), CPU) for _ in range(2))
    torch.manual_seed(1)
    whole.run(epoch_of, 14)
    torch.manual_seed(1)
    first.run(epoch_of, 9)
    first.save(tmp_path / "check.pt")
    second = train.Trainer(reader(), settings(tmp_path), CPU)
    second.restore(tmp_path / "check.pt")
    second.run(epoch_of, 5)
    assert second.progress.steps == 14
    for name, value in whole.mean.items():
        assert torch.allclose(value, second.mean[name], atol=1e-6), name


def epoch_of(number: int) -> batches.Epoch:
    return epoch(30, number)


def test_a_checkpoint_within_the_loop_counts_the_batch_just_learned(tmp_path: Path) -> None:
    trainer = train.Trainer(reader(), settings(tmp_path), CPU)
    source = trainer.batches(epoch_of)
    trainer.step(next(source))
    trainer.save_behind(tmp_path / "check.pt")
    other = train.Trainer(reader(), settings(tmp_path), CPU)
    other.restore(tmp_path / "check.pt")
    assert torch.equal(next(other.batches(epoch_of)).ids, next(source).ids)


def test_frozen_layers_and_embeddings_stay(tmp_path: Path) -> None:
    trainer = train.Trainer(reader(), settings(tmp_path, freeze=1), CPU)
    before = {name: value.clone() for name, value in trainer.reader.state_dict().items()}
    trainer.run(epoch_of, 6)
    moved = {name for name, value in trainer.reader.state_dict().items() if not torch.equal(value, before[name])}
    assert moved
    assert not {name for name in moved if name.startswith(("words", "types", "relative", "layers.0."))}
    rates = {group["top"] for group in trainer.optimizer.param_groups}
    assert max(rates) == 2 * 3e-3


def test_several_allowed_classes_cost_nothing_between_them() -> None:
    batch = batches.tensors(epoch(2), [0, 1])
    logits = torch.tensor([[0.0, 4.0, 4.0, 0.0], [0.0, 9.0, -1.0, 0.0]])
    either = batch._replace(allowed=torch.tensor([[0.0, 1, 1, 0]] * 2), compared=torch.empty(0, 2, dtype=torch.long))
    one = either._replace(allowed=torch.tensor([[0.0, 1, 0, 0]] * 2))
    assert train.batch_loss(logits, either, 0.7) < train.batch_loss(logits, one, 0.7)


def test_batches_keep_groups_together_within_the_budget_and_an_epoch_comes_back(tmp_path: Path) -> None:
    made = epoch(80)
    made.save(tmp_path / "epoch0.npz")
    again = batches.Epoch.load(tmp_path / "epoch0.npz")
    planned = batches.plan(again, 120, random.Random(0))
    assert sorted(i for chosen in planned for i in chosen) == list(range(80))
    assert all(len(chosen) * max(made.lengths[i] for i in chosen) <= 120 for chosen in planned)
    assert all({i ^ 1 for i in chosen} == set(chosen) for chosen in planned)
    batch = batches.tensors(again, planned[0])
    assert batch.ids.shape[1] % 8 == 0
    assert set(batch.types[batch.mask == 1].tolist()) == {0, 1, 2}
    for good, bad in batch.compared.tolist():
        assert batch.allowed[good].tolist() == [1, 0, 0, 0]
        assert batch.allowed[bad][0] == 0


def test_weights_come_back_and_two_segments_widen_to_three(tmp_path: Path) -> None:
    state = reader().state_dict()
    model.save(tmp_path / "r.npz", state)
    found = model.load(tmp_path / "r.npz")
    assert all(torch.allclose(found[name], value, atol=1e-2) for name, value in state.items())
    narrow = dict(found)
    narrow["types.weight"], narrow["classes.weight"] = narrow["types.weight"][:2], narrow["classes.weight"][:3]
    narrow["classes.bias"] = narrow["classes.bias"][:3]
    wide = model.restored(narrow).state_dict()
    assert torch.equal(wide["types.weight"][2], torch.zeros(24))
    assert wide["classes.bias"][3] == -2
    before = {name: value for name, value in found.items() if not name.startswith("case")}
    assert model.restored(before).state_dict()["case.bias"] == model.NO_CASE


def test_questions_about_a_case_are_told_from_those_answered_outright() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 6))
    x[:300, 2] += 6
    pair = Pair("", "", "")
    subjects = ((data.INFERENCES, 300), (data.DIRECT, 300), ("shops", 300))
    asked = [cases.Asked(pair, f"{name}{n}", name, n % 12 == 0) for name, count in subjects for n in range(count)]
    line = cases.trained(asked, x)
    odds = line[0] + x @ line[1:]
    assert (odds[:300] > 0).mean() > 0.9
    assert 0 < (odds[300:600] > 0).mean() < 2 * cases.FLAGGED


def test_the_mean_of_readers_lies_between_them(tmp_path: Path) -> None:
    one, other = reader().state_dict(), model.Reader((50, 24, 48, 3)).state_dict()
    model.save(tmp_path / "one.npz", one)
    del other["case.bias"]
    found = cases.mean([graph.weights(tmp_path / "one.npz"), other])
    assert "case.bias" not in found
    assert torch.allclose(found["dense.weight"], (one["dense.weight"] + other["dense.weight"]) / 2, atol=1e-3)


def test_padding_changes_nothing() -> None:
    one, made = reader().eval(), epoch(6)
    with torch.inference_mode():
        together = one(*batches.tensors(made, range(6))[:3])
        alone = torch.from_numpy(export.exact_logits(one, made))
    assert torch.allclose(together, alone, atol=1e-4)


def test_the_graph_agrees_with_torch(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    one, made = reader().eval(), epoch(20)
    with torch.no_grad():
        one.case.weight.normal_(0, 0.2)
        one.case.bias.fill_(0.3)
    state = {name: value.numpy() for name, value in one.state_dict().items()}
    seen = export.largest(one, made)
    onnx.save(graph.Writer(state, export.divisors(state, seen)).model(), str(tmp_path / "model.onnx"))
    shipped, exact = export.shipped_logits(tmp_path / "model.onnx", made), export.exact_logits(one, made)
    assert shipped.shape == (20, 4)
    assert np.abs(shipped - exact).max() < 0.1
    cases = export.shipped_logits(tmp_path / "model.onnx", made, "case")[:, 0]
    with torch.inference_mode():
        about = np.concatenate([one.case(one.about(*pair)).numpy()[:, 0] for pair in export.one_by_one(made)])
    assert np.abs(cases - about).max() < 0.1
    assert (cases[made.first == made.second] == np.float32(0.3)).all(), "without a context there is no question"
    back, _ = graph.restored(tmp_path / "model.onnx")
    assert np.array_equal(back["case.weight"], state["case.weight"])
