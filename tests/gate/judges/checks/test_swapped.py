from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.judges.alignment import Alignment
from gate.judges.checks.swapped import check_swapped
from gate.judges.local import HARD

Laid = Callable[..., Alignment]


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The landlord pays the tenant a deposit.", "The tenant pays the landlord a deposit."),
        (
            "The supplier indemnifies the customer against claims.",
            "The customer indemnifies the supplier against claims.",
        ),
        ("The landlord is paid by the agent.", "The landlord pays the agent every month."),
        ("The server sends heartbeats to the client.", "The client sends heartbeats to the server."),
        ("Data is copied from the replica to the primary.", "Data is copied from the primary to the replica."),
        ("The worker may cancel the scheduler.", "The scheduler may cancel the worker."),
        ("Plan A costs more than plan B.", "Plan B costs more than plan A."),
        ("Uploads are faster than downloads.", "Downloads are faster than uploads."),
        ("A is started after B.", "B is started after A."),
        ("Validate the file before the migration.", "Run the migration before you validate the file."),
        ("Before the backup, the index is rebuilt.", "The backup runs before the index is rebuilt."),
        ("The board sends the plan to the auditor.", "The plan is sent to the board by the auditor."),
        ("Change the filter first, then rinse the pump.", "The pump must be rinsed before the filter is changed."),
        ("The lid is closed after the pump has stopped.", "The lid is closed before the pump has stopped."),
        ("Export the results before you sort them.", "Sort the results by date before you export them."),
        ("You pay first, then the clerk stamps the form.", "The clerk stamps the form, then you pay."),
        ("Local rules take precedence over global rules.", "Global rules take precedence over local rules."),
    ],
)
def test_operands_the_other_way_round_is_a_sure_finding(laid: Laid, claim: str, document: str) -> None:
    (finding,) = check_swapped(laid(claim, document))
    assert finding.kind == "swapped"
    assert finding.strength >= HARD
    assert finding.sentence >= 0


@pytest.mark.parametrize(
    ("claim", "document"),
    [
        ("The landlord is paid by the tenant.", "The tenant pays the landlord."),
        ("The tenant pays the landlord.", "The tenant pays the landlord, and the agent pays the tenant."),
        ("The caller answers the service.", "The service answers the caller and the caller answers the service."),
        ("The parent notifies the child.", "The child notifies the parent, and vice versa."),
        ("The local clock matches the server clock.", "The server clock matches the local clock."),
        ("The tenant does not pay the agent.", "The agent pays the tenant."),
        ("The server sends heartbeats to the client.", "Heartbeats are sent to the client by the server."),
        ("Plan B costs less than plan A.", "Plan A costs more than plan B."),
        ("Plan A costs more than plan B.", "Plan B costs more than plan C, and plan A costs more than plan B."),
        ("The migration starts after the backup.", "The backup is taken before the migration starts."),
        ("Before the backup, the index is rebuilt.", "The index is rebuilt before the backup."),
        ("The file is validated before the upload.", "Validate the file before you start the upload."),
        ("The service provider pays the fee.", "The fee is paid by the provider of the service."),
        ("The auditor sends the plan to the board.", "The plan is sent to the board by the auditor."),
        ("Rinse the pump first, then change the filter.", "The pump must be rinsed before the filter is changed."),
        ("A form that comes after the interview is too late.", "The form has to come before the interview."),
        ("If the lid is open, then the pump stops.", "The pump stops, then the lid opens."),
        ("More than 5 users may share a board.", "A board may be shared by more than 5 users."),
    ],
)
def test_what_may_be_true_is_no_finding(laid: Laid, claim: str, document: str) -> None:
    assert check_swapped(laid(claim, document)) == []
