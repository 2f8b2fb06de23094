import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.measures.base import Outcome, Support
from gate.measures.faithfulness import BEYOND, DESPITE, MISSING, WRONG, read
from gate.measures.given import given as contexts_of
from gate.records import Label
from tests.support.measured import case, rated, reading

PLAN = (
    "The Standard plan costs Rs 800 a month. It includes 5 GB of storage and support by e-mail. "
    "Cancel any time before the next month begins."
)
ORDERS = (
    "To change part of an order send PATCH to /orders/{id} with the fields in question. All others keep their values. "
    "Every call needs a token in the Authorization header."
)
REGIONS = "We run data centres in five regions: Dublin, Frankfurt, Mumbai, Sydney and Oregon."
CODE = "Install the client and create it:\n\n```python\nimport orders\nclient = orders.Client(timeout=5)\n```"
BORNE, NOT = "borne", "not"  # 0.7 and more; 0.5 and less
CASES = [
    ("the words of the context", "What does it cost?", "The Standard plan costs Rs 800 a month.", PLAN, BORNE),
    ("in other words", "What does it cost?", "Rs 800 is what you pay for the Standard plan every month.", PLAN, BORNE),
    ("another price", "What does it cost?", "The Standard plan costs Rs 2000 a month.", PLAN, NOT),
    ("a few words", "How much does the Standard plan cost?", "Rs 800.", PLAN, BORNE),
    ("a few wrong words", "How much does the Standard plan cost?", "Rs 2000.", PLAN, NOT),
    ("the method", "How do I change an order?", "Send PATCH to /orders/{id} with the fields.", ORDERS, BORNE),
    ("another method", "How do I change an order?", "Send a PUT request to /orders/{id} with the fields.", ORDERS, NOT),
    ("a list", "Which ones?", "The regions are:\n- Dublin\n- Frankfurt\n- Mumbai\n- Sydney\n- Oregon", REGIONS, BORNE),
    ("an invented list", "Which regions?", "The regions are:\n- Tokyo\n- Lagos\n- Lima", REGIONS, NOT),
    ("another amount", "How much storage?", "The plan includes 50 GB of storage.", PLAN, NOT),
    ("the amount in another unit", "How much storage?", "The Standard plan includes 5000 MB of storage.", PLAN, BORNE),
    ("the amount in another unit, both readings", "How much memory?", "The plan includes 2 GB of memory.",
     "The plan includes 2048 MB of memory.", BORNE),
    ("the amount for another period", "What does it cost?", "The Standard plan costs Rs 800 a year.", PLAN, NOT),
    ("something that is not there", "Who founded it?", "Ada Krol founded the firm in 1999.", PLAN, NOT),
    ("a word that stands nowhere", "Which regions are there?", "Tokyo.", REGIONS, NOT),
    ("a word of the list", "Which regions are there?", "Mumbai.", REGIONS, BORNE),
    ("words of which one stands nowhere", "Which regions are there?", "Dublin, Mumbai and Tokyo.", REGIONS, NOT),
    ("yes", "Does the Standard plan include support by e-mail?", "Yes.", PLAN, BORNE),
    ("code", "How do I create it?", "```python\nclient = orders.Client(timeout=5)\n```", CODE, BORNE),
    ("another language, word by word", "Was kostet der Tarif?", "Der Tarif kostet im Monat 8 Euro.",
     "Der Tarif kostet im Monat 8 Euro. Er wird für ein Jahr bezahlt.", BORNE),
    ("very long", "What does it cost?", "The Standard plan costs Rs 800 a month.", "It is not here. " * 3000 + PLAN,
     BORNE),
    ("a denial", "Is there support?", "The Standard plan does not include support by e-mail.", PLAN, NOT),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer", "context", "side"), [row[1:] for row in CASES], ids=[r[0] for r in CASES]
)
def test_known_cases(question, answer, context, side):
    value = rated("faithfulness", case(question, answer, context)).value
    assert value >= 0.7 if side == BORNE else value <= 0.5


def test_a_list_of_five_of_which_one_is_invented():
    answer = "Our data centres stand in five regions:\n- Dublin\n- Frankfurt\n- Mumbai\n- Sydney\n- Tokyo"
    rating = rated("faithfulness", case("Where are the data centres?", answer, REGIONS))
    assert rating.value == pytest.approx(0.8)
    assert rating.weight == 5
    assert 'Tokyo."' in rating.why  # the claim that is told: "... five regions: Tokyo."


@pytest.mark.parametrize(
    ("answer", "contexts", "why"),
    [
        ("The Standard plan costs Rs 800.", (), "no context"),
        ("The Standard plan costs Rs 800.", ("", "  "), "no context"),
        ("I don't have that information.", (PLAN,), "declines"),
        ("Das weiß ich leider nicht.", (PLAN,), "declines"),
        ("", (PLAN,), "empty"),
        ("Hello! How can I help you?", (PLAN,), "states nothing"),
    ],
)
def test_what_it_does_not_apply_to(answer, contexts, why):
    found = reading("faithfulness", case("What does it cost?", answer, *contexts))
    assert not found.ratings
    assert not found.unjudged
    assert why in found.skipped["p"]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("Der Tarif kostet 8 Euro und wird für ein Jahr bezahlt.", PLAN),
        ("The plan costs 8 euros.", "Der Tarif kostet im Monat 8 Euro und wird nicht für ein Jahr bezahlt."),
        ("価格は月額800円です。", "料金プランの価格は毎月800円です。"),
    ],
)
def test_what_the_local_judge_cannot_read_is_not_judged(answer, context):
    found = reading("faithfulness", case("What does it cost?", answer, context))
    assert not found.ratings
    assert "not in English" in found.unjudged["p"]


def test_a_claim_in_another_language_is_left_out_of_the_share():
    answer = (
        "The Standard plan costs Rs 800 a month.\n\nDas ist nicht der Preis für ein Jahr und wird von der Bank bezahlt."
    )
    found = reading("faithfulness", case("What does it cost?", answer, PLAN))
    (rating,) = found.ratings
    assert (rating.value, rating.weight) == (1.0, 1.0)
    assert "1 claim not judged: in another language" in rating.why
    assert set(found.unjudged) == {"p"}  # the one that was left out may be the wrong one


@pytest.mark.parametrize(
    ("answer", "context", "label", "cause", "told"),
    [
        ("The Standard plan costs Rs 2000 a month.", PLAN, Label.UNSUPPORTED, DESPITE, "although its own context says"),
        ("The Standard plan costs Rs 900 a month.", "The Standard plan costs Rs 900 a month.", Label.UNSUPPORTED, WRONG,
         "its context says so"),
        ("Ada Krol founded the firm.", PLAN, Label.UNSUPPORTED, MISSING, "neither its contexts nor the documents"),
        ("Ada Krol founded the firm.", PLAN, Label.SUPPORTED, BEYOND, "its contexts do not"),
    ],
)  # fmt: skip
def test_whether_the_answer_or_its_context_was_wrong(answer, context, label, cause, told):
    rating = rated("faithfulness", case("What is so?", answer, context, labels=(label,)))
    assert {name for name in (DESPITE, WRONG, MISSING, BEYOND) if rating.parts[name]} == {cause}
    assert told in rating.why


def test_the_words_that_matter_are_told():
    rating = rated("faithfulness", case("What does it cost?", "The Standard plan costs Rs 2000 a month.", PLAN))
    assert "Rs 2000" in rating.why
    assert "Rs 800" in rating.why
    assert rating.parts["contradicted"] == 1


def test_hallucination_is_the_rest():
    answers = [case("What?", "It costs Rs 800.", PLAN, name="a"), case("What?", "It costs Rs 2000.", PLAN, name="b")]
    faithful, hallucinated = (reading(name, *answers) for name in ("faithfulness", "hallucination"))
    assert [1 - r.value for r in faithful.ratings] == [r.value for r in hallucinated.ratings]
    assert reading("hallucination", case("What?", "I don't know.", PLAN)).skipped


SENTENCES = [
    "The valve fits radiators with an M30 thread.",
    "The ring lights red when there is a fault.",
    "Two AA cells run the thermostat for about two years.",
    "The target lies between 5 and 30 degrees.",
    "During an update the light is white.",
    "The app reminds you to change the batteries.",
]


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, unique=True))
@settings(max_examples=10, deadline=None)
def test_copies_of_the_context_are_faithful(chosen):
    assert rated("faithfulness", case("What is so?", " ".join(chosen), " ".join(SENTENCES))).value == 1


@given(st.permutations(SENTENCES[:4]), st.randoms(use_true_random=False))
@settings(max_examples=6, deadline=None)
def test_the_order_of_claims_and_contexts_does_not_matter(order, random):
    said = ["The ring lights green when there is a fault.", *SENTENCES[2:4]]
    one = rated("faithfulness", case("What is so?", " ".join(said), *SENTENCES[:4]))
    random.shuffle(said)
    other = rated("faithfulness", case("What is so?", " ".join(said), *order))
    assert (one.value, one.weight, one.parts) == (other.value, other.weight, other.parts)


class Fixed:
    """Tools whose judge says of each claim what its first word stands for."""

    LABELS = {"yes": Label.SUPPORTED, "maybe": Label.WEAKLY_SUPPORTED, "no": Label.UNSUPPORTED}

    def support(self, pairs):
        return [Support(self.LABELS[claim.split()[0].lower()], False, 0.5) for claim, _ in pairs]

    def claims(self, text, question):
        return tuple(line for line in text.splitlines() if line)


@given(st.lists(st.sampled_from(["yes", "maybe", "no"]), min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_the_share_is_bounded_and_grows_with_what_is_borne_out(words):
    def value(said):
        found = case("Q", "", "The context says a thing.")
        object.__setattr__(found.answer, "text", "\n".join(f"{word} thing {n} is so" for n, word in enumerate(said)))
        (rating,) = read(Outcome((found,)), None, Fixed()).ratings
        return rating.value

    assert 0 <= value(words) <= 1
    assert value(words) <= value([*words, "yes"])
    assert value(words) >= value([*words, "no"])
    assert value(words) <= value(["yes" if word == "maybe" else word for word in words])


def test_contexts_are_read_once():
    assert contexts_of((PLAN, PLAN)) == contexts_of((PLAN,))
