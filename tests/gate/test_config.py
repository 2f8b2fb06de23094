"""The schema of the configuration, its defaults, and every fault with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.config import Config, load
from gate.errors import ConfigError

SMALL = "use_case: Help desk\nmodel: {provider: replay, path: answers.jsonl}\n"


def faults(tmp_path, text, environ=None):
    path = tmp_path / "c.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path, environ or {})
    return [str(fault) for fault in caught.value.faults]


def good(tmp_path, text, environ=None):
    path = tmp_path / "c.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path, environ or {})


def test_defaults_are_those_of_the_contract(tmp_path):
    config = good(tmp_path, SMALL)
    tolerance = config.risk_tolerance
    assert (tolerance.deploy_threshold, tolerance.warn_threshold, tolerance.max_unjudged) == (0.10, 0.25, 0.0)
    assert (tolerance.min_claims, tolerance.decide_on, tolerance.fail_on_regression) == (1, "point", False)
    assert (config.evaluation.source, config.evaluation.num_prompts, config.evaluation.repeats) == ("generated", 20, 1)
    assert (config.limits.max_cost_usd, config.limits.max_calls, config.limits.concurrency) == (5.0, 2000, 16)


def test_every_fault_is_told_at_once_with_its_line(tmp_path):
    told = faults(
        tmp_path,
        "use_case: x\nrisk_tolerence: {}\nmodel:\n  provider: replya\n  paht: y\n"
        "limits:\n  concurrency: 0\nlimits: {}\n",
    )
    assert told == [
        "line 2: risk_tolerence: unknown key; did you mean `risk_tolerance`?",
        "line 4: model.provider: 'replya' is not one of replay, bedrock, ollama, openai, command; "
        "did you mean `replay`?",
        "line 5: model.paht: unknown key; did you mean `path`?",
        "line 8: limits: is given twice",
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "the file is empty"),
        ("- a\n", "must be a mapping"),
        ("a: [1\n", "line 2: is not valid YAML"),
        ("a: \x00\n", "is not valid YAML"),
        (SMALL + "x: *nowhere\n", "is not valid YAML"),
        (SMALL + "risk_tolerance: {deploy_threshold: 0.5}\n", "must not be above warn_threshold"),
        (SMALL + "risk_tolerance: {deploy_threshold: .nan}\n", "line 3: risk_tolerance.deploy_threshold"),
        (SMALL + "evaluation: {source: dataset}\n", "needs the key `dataset`"),
        (SMALL + "evaluation: {dataset: qa.jsonl}\n", "`dataset` is read with source: dataset"),
        (SMALL + "evaluation: {num_prompts: many}\n", "not 'many'"),
        (SMALL + "limits: {concurrency: 0}\n", "greater than or equal to 1, not 0"),
        ("use_case: x\nmodel: {provider: command}\n", "needs the key `command`"),
        ("use_case: x\nmodel: {provider: ollama}\n", "needs the key `model_id`"),
        (SMALL + "risk_tolerance: {warn_threshold: yes}\n", "risk_tolerance.warn_threshold: must not be yes"),
        (SMALL + "evaluation: {repeats: true}\n", "evaluation.repeats: must not be yes"),
        ("model: {provider: replay, path: a}\n", "use_case: is required"),
        (
            "use_case: x\nevaluation: {source: recorded}\nmodel: {provider: command, command: [a]}\n",
            "needs model.provider: replay",
        ),
    ],
)
def test_a_fault_says_what_is_wrong(tmp_path, text, part):
    assert part in "\n".join(faults(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("model: {provider: bedrock, model_id: m, base_url: http://h}", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"),
        ("judge: {provider: bedrock, base_url: http://h}", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"),
        ("judge: {provider: tiered, escalate_to: bedrock, base_url: http://h}", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"),
        ("embedding: {provider: bedrock, base_url: http://h}", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"),
        ("embedding: {model_id: nomic-embed-text}", "provider: local has a model of its own, so `model_id`"),
        ("embedding: {base_url: http://h}", "provider: local has a model of its own, so `base_url`"),
        ("embedding: {dimension: 256}", "provider: local has a model of its own, so `dimension`"),
    ],
)
def test_a_server_that_would_not_be_asked_is_a_fault(tmp_path, text, part):
    kept = "".join(line for line in SMALL.splitlines(True) if not line.startswith(text.split(":")[0]))
    (fault,) = faults(tmp_path, kept + text)
    assert part in fault


def test_a_dataset_may_stand_beside_another_source_that_is_named(tmp_path):
    """As in the contract's own example: whoever names the source knows what is asked."""
    text = SMALL + "evaluation: {source: generated, dataset: qa.jsonl}\n"
    assert good(tmp_path, text).evaluation.source == "generated"


def test_a_missing_file_has_a_hint(tmp_path):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path / "none.yaml")
    assert "there is no such file" in caught.value.message
    assert "--config" in caught.value.hint


def test_a_folder_and_a_huge_file_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "big.yaml").write_bytes(b"# \n" * 400_000)
    with pytest.raises(ConfigError, match="is larger than"):
        load(tmp_path / "big.yaml")


def test_another_encoding_is_named_with_its_line(tmp_path):
    (tmp_path / "c.yaml").write_bytes("a: 1\nuse_case: Gerät\n".encode("latin-1"))
    with pytest.raises(ConfigError, match="line 2: is not UTF-8"):
        load(tmp_path / "c.yaml")


def test_variables_are_filled_in_and_a_missing_one_is_a_fault(tmp_path):
    text = "use_case: for ${TEAM}\nmodel: {provider: replay, path: '${WHERE}/a.jsonl'}\n"
    assert good(tmp_path, text, {"TEAM": "us", "WHERE": "x"}).model.path == "x/a.jsonl"
    assert faults(tmp_path, text, {"TEAM": "us"}) == ["line 2: model.path: the environment variable WHERE is not set"]


def test_an_alias_bomb_ends_at_the_bound(tmp_path):
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    assert "grows too large by aliases" in "\n".join(faults(tmp_path, "\n".join(rows)))


def test_deep_nesting_ends_at_the_bound(tmp_path):
    assert "nested too deeply" in "\n".join(faults(tmp_path, "a: " + "[" * 300 + "]" * 300))


def test_doc_sources_have_a_short_and_a_long_form(tmp_path):
    config = good(tmp_path, SMALL + "doc_sources: [docs/, 's3://b/p', {type: local, path: x}]\n")
    assert [(source.type, source.path) for source in config.doc_sources] == [
        ("local", "docs/"),
        ("s3", "s3://b/p"),
        ("local", "x"),
    ]
    assert faults(tmp_path, SMALL + "doc_sources: [{typ: s3, path: x}]\n") == [
        "line 3: doc_sources[0].typ: unknown key; did you mean `type`?"
    ]


def test_a_source_has_the_type_that_its_path_says(tmp_path):
    config = good(tmp_path, SMALL + "doc_sources: ['S3://b/p', {type: s3, path: 's3://b'}]\n")
    assert [source.type for source in config.doc_sources] == ["s3", "s3"]
    for source in ("{type: s3, path: bucket/docs}", "{path: 's3://b/p'}"):
        (told,) = faults(tmp_path, SMALL + f"doc_sources: [{source}]\n")
        assert told.startswith("line 3: doc_sources[0]: `type: s3` and a path that begins with s3://")


@pytest.mark.parametrize(
    "text",
    [
        "limits: {max_seconds: .inf}",
        "limits: {max_seconds: 1.0e+300}",
        "limits: {max_cost_usd: .inf}",
        "prices: {m: {input: .inf, output: 0}}",
        "prices: {m: {input: 0, output: .inf}}",
    ],
)
def test_no_limit_and_no_price_is_endless(tmp_path, text):
    (told,) = faults(tmp_path, SMALL + text + "\n")
    assert told.startswith("line 3: ")


def test_the_hash_is_of_the_values_not_of_the_text(tmp_path):
    first = good(tmp_path, SMALL).hash()
    assert first == good(tmp_path, "# other words\n" + SMALL).hash()
    assert first != good(tmp_path, SMALL + "evaluation: {seed: 1}\n").hash()


def test_the_configuration_is_frozen(tmp_path):
    config = good(tmp_path, SMALL)
    with pytest.raises(ValueError, match="frozen"):
        config.use_case = "other"


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=5),
            lambda x: st.lists(x, max_size=3),
            max_leaves=5,
        ),
        max_size=5,
    )
)
def test_any_mapping_is_a_configuration_or_a_list_of_faults(values):
    from pydantic import ValidationError

    from gate.config_faults import faults_of

    try:
        Config.model_validate(values)
    except ValidationError as error:
        assert all(fault.message for fault in faults_of(error, Config, {}))
