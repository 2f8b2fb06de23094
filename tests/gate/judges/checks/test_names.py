from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.names import check_missing, check_names

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("`client.get()` sends a request.", "Call `Client.get(url)` to send one."),
        ("Use `--max-size`.", "The option `--max-size` limits it."),
        ("`follow_redirects=True` does it.", "Set `follow_redirects` to follow."),
        ("SSL is needed.", "It needs ssl."),
        ("PostgreSQL's planner is cautious.", "The planner of PostgreSQL is cautious."),
        ("Edit `/etc/app.conf`.", "The file /etc/app.conf is read."),
        ("Sending to a channel such as `own.mail` fails.", "Sending to a channel whose name begins with `own.` fails."),
        ("The bonus is £1k, not 50p.", "The bonus is £1,000."),
        ("No flowers in the ICU.", "Flowers are not allowed in the intensive care unit."),
        ("Open 9am-6pm.", "Open from 9 am to 6 pm."),
        ("That is 10x as much.", "It is 60, or 600 for members."),
        ("It resumes since v3.2.", "Since version 3.2 it resumes."),
        ("The lease starts on 01/09/2025.", "The lease starts on 1 September 2025."),
        (
            "Restore it with: curl -X POST https://api.ox.dev/v2/boxes/7/restore.",
            "Requests go to https://api.ox.dev/v2. Call POST /boxes/{id}/restore to restore it.",
        ),
        ("A name like `my_house` is refused.", "Names have letters only."),
        ("What comes in on the 25th is paid in May.", "What comes in after the 20th is paid a month later."),
        ("Bills are PDFs.", "The mill sends a PDF."),
        ("Each mill has a GPU.", "Mills have GPUs."),
        ("A lamp above `lamp.watts` goes out.", "Keys of the lamp\n\n- `watts`: a lamp above it goes out."),
    ],
)
def test_a_name_that_stands_in_the_documents_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_names(laid(claim, document)) == []


def test_a_key_of_another_section_is_missing(laid: Laid) -> None:
    (finding,) = check_names(laid("A lamp above `door.watts` goes out.", "- `watts`: a lamp above it goes out."))
    assert finding.kind == "name missing"


def test_an_invented_name_is_missing(laid: Laid) -> None:
    (finding,) = check_names(laid("`stream_timeout` ends a stream.", "A stream ends at its last byte."))
    assert (finding.kind, finding.against) == ("name missing", False)
    assert "'stream_timeout'" in finding.message


def test_a_name_with_its_like_in_the_window_is_a_conflict(laid: Laid) -> None:
    (finding,) = check_names(laid("The extension is `server_hostname`.", "Set the extension `sni_hostname`."))
    assert finding.against
    assert "'sni_hostname' where the claim has 'server_hostname'" in finding.message


@pytest.mark.parametrize("call", ["https://api.ox.com/v2/boxes", "https://api.ox.dev/v2/carts", "/boxes/$ID/revive"])
def test_a_call_of_another_server_or_path_is_told(laid: Laid, call: str) -> None:
    found = check_names(laid(f"Use curl -X POST {call}.", "Call POST /boxes/{id} at https://api.ox.dev/v2."))
    assert found


def test_a_name_is_not_its_own_beginning(laid: Laid) -> None:
    found = check_names(laid("`response.next` holds it.", "It is named `response.next_request`."))
    assert [finding.kind[:4] for finding in found] == ["name"]


def test_a_product_name_weighs_less_than_code(laid: Laid) -> None:
    (product,) = check_names(laid("SwiftCrate is fast.", "It is fast."))
    (code,) = check_names(laid("`swift_crate` is fast.", "It is fast."))
    assert product.strength < code.strength


def test_code_without_letters_must_stand_as_it_is(laid: Laid) -> None:
    assert check_names(laid("The marker is `{}`.", "Use `{}` as the marker.")) == []
    (finding,) = check_names(laid("The marker is `{:?}`.", "Use `{}` as the marker."))
    assert "'{:?}'" in finding.message


def test_rare_words_that_stand_nowhere_are_told(laid: Laid) -> None:
    found = check_missing(laid("The zebra throttles uploads.", "Uploads are throttled."))
    assert [finding.message for finding in found] == ["'zebra' is not in the documents found"]
    assert check_missing(laid("The uploads of it.", "Uploads.")) == []


def test_another_form_of_a_word_of_code_is_another_name(laid: Laid) -> None:
    document = "By default it looks for a `statics` folder in each package."
    (finding,) = check_names(laid("By default it looks for a `static` folder in each package.", document))
    assert finding.message == "the document has 'statics' where the claim has 'static'"
    assert check_names(laid("By default it looks for a `statics` folder.", document)) == []
    both = f"{document} The folder `static` is for files of your own."
    assert check_names(laid("By default it looks for a `static` folder in each package.", both)) == []


def test_several_of_an_acronym_are_no_missing_word(laid: Laid) -> None:
    assert check_missing(laid("Bills are PDFs.", "A bill is a PDF.")) == []
