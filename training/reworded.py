"""The 17 statements of ContractNLI in other words, so that no training claim is a claim of its test set."""

from __future__ import annotations

REWORDED: dict[str, tuple[str, ...]] = {
    "Receiving Party shall not reverse engineer any objects": (
        "Whoever receives confidential objects is forbidden to take them apart to learn how they work.",
        "The recipient must not decompile or reverse engineer what embodies the discloser's secrets.",
    ),
    "Receiving Party shall destroy or return some": (
        "When the agreement ends, the recipient has to give back or destroy part of the confidential material.",
        "On termination, confidential material must be handed back or disposed of by whoever received it.",
    ),
    "Agreement shall not grant Receiving Party any right": (
        "The recipient gets no rights in the confidential information through this agreement.",
        "No licence or ownership of the disclosed information passes to the recipient.",
    ),
    "Receiving Party shall not disclose the fact that": (
        "The recipient has to keep it secret that there is an agreement or that it was negotiated.",
        "That the parties are talking or have signed anything must not be revealed by the recipient.",
    ),
    "Confidential Information shall only include technical": (
        "Nothing but technical information counts as confidential.",
        "The definition of confidential information is limited to technical matters.",
    ),
    "Some obligations of Agreement may survive": (
        "Certain duties go on after the agreement has ended.",
        "Not every obligation ceases when the agreement is terminated.",
    ),
    "Receiving Party may independently develop": (
        "The recipient is free to come up with similar information through its own work.",
        "Information like the discloser's may be created by the recipient without using what was disclosed.",
    ),
    "Receiving Party may retain some": (
        "Even after giving back or destroying the material, the recipient may keep part of it.",
        "The recipient can hold on to some confidential material although the rest was returned or destroyed.",
    ),
    "Receiving Party shall not solicit": (
        "The recipient must not try to hire away certain people who work for the discloser.",
        "Recruiting some of the disclosing side's representatives is forbidden to the recipient.",
    ),
    "Receiving Party may share some Confidential Information with some third": (
        "The recipient may pass part of the information on to certain outsiders such as advisers.",
        "Some third parties, for instance consultants or agents, may be shown confidential material by the recipient.",
    ),
    "Receiving Party may create a copy": (
        "In certain cases the recipient is allowed to make copies of confidential material.",
        "Copying some of the confidential information is permitted to the recipient under some conditions.",
    ),
    "Receiving Party may acquire information similar": (
        "The recipient may obtain similar information from somebody else.",
        "It is all right for the recipient to get comparable information from another source.",
    ),
    "Receiving Party may share some Confidential Information with some of": (
        "Some employees of the recipient may be given access to confidential material.",
        "The recipient can pass part of the information on to certain members of its staff.",
    ),
    "Receiving Party shall not use any": (
        "The recipient may use the information for nothing but the purposes that the agreement names.",
        "Any use of the confidential material other than the stated purpose is ruled out for the recipient.",
    ),
    "All Confidential Information shall be expressly identified": (
        "Only what the discloser has explicitly marked or named as such is confidential.",
        "The discloser must expressly designate everything that is to be treated as confidential.",
    ),
    "Confidential Information may include verbally": (
        "What is passed on by word of mouth can be confidential too.",
        "Information given orally may count as confidential.",
    ),
    "Receiving Party shall notify Disclosing Party in case": (
        "If a law or a court compels the recipient to reveal the information, it must tell the discloser.",
        "The discloser has to be informed by the recipient when disclosure is demanded by a legal process.",
    ),
}


def variants(claim: str) -> tuple[str, ...]:
    """Our wordings of a ContractNLI statement; empty for one that is not known."""
    return next((new for start, new in REWORDED.items() if claim.startswith(start)), ())
