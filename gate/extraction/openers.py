"""What is said in front of a statement and states nothing: words of discourse, and its speaker's doubt."""

from __future__ import annotations

import re

from gate.extraction.announced import announced

_HEAD = re.compile(
    r"(?:(?:please |also |but |and |just )*(?:note|keep in mind|remember|be aware|mind|bear in mind|"
    r"it(?:'s| is) (?:also )?(?:worth noting|"
    r"important to note|worth mentioning))(?: also)?(?: that|[:,][*_]{0,3})\s*"
    r"|(?P<hedge>(?:i (?:think|believe|guess|suppose)|as far as i (?:know|can tell|remember)|to my knowledge|"
    r"if i remember correctly)"
    r"(?: that\b)?,?\s+"
    r"|(?:(?:i(?:['’]m| am) )?not (?:\w+ly |quite |100 ?% )?(?:sure|certain)|"
    r"i (?:don['’]t|do not) (?:\w+ly )?know|no idea)"
    r"(?: (?:for (?:sure|certain)|exactly|offhand|(?:about |of )?(?:that|this|it)))?(?:[,;:]|\s[–—-])\s+(?:but\s+)?)"
    r"|(?:by the way|in (?:short|other words|summary|addition|fact|contrast)|that said|for (?:comparison|example|"
    r"instance|your information)|"
    r"firstly|secondly|thirdly|second|third|fourth|fifth|lastly|"
    r"additionally|furthermore|moreover|however|also|finally|besides|on the other hand|by contrast|conversely|"
    r"similarly|therefore|thus|"
    r"hence|consequently|as a result|overall|well|so|and|but|note|tip|important|warning|caution|remember|basically|"
    r"actually|"
    r"unfortunately|fortunately|luckily|as for that|apart from that|first of all|to be clear|to answer your "
    r"question)\s*[,:][*_]{0,3}\s+"
    r"|(?:(?:please )?(?:don['’]t|do not) worry|no worries|no problem|never fear|rest assured|you can be sure)"
    r"(?:\s*[,;:!.–—-]\s*|\s+that\s+)"
    r"|(?:and|but|so)\s+|(?:a\d{0,3}|answer|response|assistant|explanation|tl;?dr|"
    r"(?:short|long|longer|quick|direct) (?:answer|version)|in a nutshell|bottom line|summary|conclusion|key (?:point|"
    r"takeaway)s?|takeaway|rule of thumb|fyi|p\.?s\.?|(?:good|bad) news|pro[- ]tip|heads[- ]up|disclaimer|reminder|"
    r"example)\s*:[*_]{0,3}\s+"
    r"|(?:that|this)(?:'s| is) (?:expected|normal|deliberate|on purpose|correct|right|true|intentional|by "
    r"design)\s*:\s*)",
    re.IGNORECASE,
)  # fmt: skip


def strip_heads(text: str) -> int:
    """How many characters of discourse (`Note that`, `However,`, `I think`) stand before the statement itself. What
    limits it (`Usually`, `Probably`, `In practice`) is a part of it."""
    return heads(text)[0]


def heads(text: str) -> tuple[int, int]:
    """Where the discourse in front of a statement ends, and where its speaker's doubt (`I think`) begins; the end again
    where there is none. The place where a claim was said holds the doubt, though what is stated is judged without."""
    at, hedge = 0, -1
    for _ in range(4):
        found = _HEAD.match(text, at)
        end = found.end() if found else announced(text, at)
        if end == at or not any(c.isalnum() for c in text[end:]):
            break
        hedge = at if hedge < 0 and found and found["hedge"] else hedge
        at = end
    return at, at if hedge < 0 else hedge
