"""What is not a claim: questions, courtesies, refusals, words about the answer itself, bare opinions, empty lead-ins.

Only a sentence that one of these patterns covers as a whole is taken out; every other one stays a claim. No pattern
looks at what a text says about graders or labels, so no text can talk its way out of being judged.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gate.extraction.announced import ANNOUNCES, COUNT
from gate.extraction.asides import set_apart
from gate.extraction.lacking import DOCS, lacking
from gate.extraction.questions import asks, opens, turn
from gate.extraction.refusals import declined
from gate.extraction.unknown import unknown
from gate.text import stem, words

_MAX = 400  # a longer sentence says something
_POINTER = (
    r"(?:please |you (?:should|may want to|might want to|can|could) |i(?:'d| would)? (?:recommend|suggest|advise) "
    r"(?:that you )?|"
    r"it'?s best to |for (?:more|further|full) (?:details|information),? (?:please )?)*"
    r"(?:check(?:ing)?|see|consult(?:ing)?|refer(?:ring)? to|have a look at|look(?:ing)? at|review(?:ing)?|"
    r"reading?|visit(?:ing)?) "
    rf"(?:out )?(?:{DOCS}|(?:the |their |our )?(?:official )?(?:website|release notes|changelog|faq))"
    r"(?: (?:on|about|for|of|regarding|directly|first|instead|itself)(?: (?!\d)[\w-]+){0,8})?"
)
_WORDS = r"(?: (?!(?:that|and|or|to (?:get|receive|claim)|we|i'll|you'll)\b)[a-z',-]+){0,14}"  # no claim rides along
_ADVICE = (
    r"(?:please |you should |(?:it'?s|it is) best to )?(?:also )?"
    r"(?:consult|ask|contact|see|talk to|speak (?:to|with)) (?:with )?(?:an?|your) "
    r"(?:qualified |local |own )?(?:doctor|physician|lawyer|attorney|pharmacist|professional|accountant|advis[eo]r|"
    r"administrator)"
)
_COURTESY = "|".join((
    r"(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|dear \w+)(?: there| all| everyone| \w+)?",
    r"(?:thanks?|thank you)(?: (?:you|so much|very much|for [a-z' ]{1,60}))*",
    r"(?:you're|you are) (?:very |most )?welcome", r"(?:no problem|my pleasure|glad to help|happy to help|good "
    r"luck|cheers|enjoy(?: (?:it|your|the)(?: [a-z]+){0,3})?)",
    r"(?:that's |what )?(?:an? )?(?:really |very )?(?:great|good|excellent|interesting|fair|common) (?:question|point)",
    r"congrat(?:s|ulations)(?: (?:to|on) (?:you|your|the)(?: [a-z]+){0,4})?|get well soon",
    r"i (?:really |do |sincerely )?(?:hope|trust) (?:you|he|she|they|everyone|(?:your|the) [a-z]+)"
    r"(?:'s|'re|'ll| is| are| will| feels?| gets?)(?: (?:all|already|be|both|doing|feel|feeling|get|getting|recover|"
    r"recovering|now|soon)){0,3}(?: (?:alright|all right|better|fine|ok(?:ay)?|safe|soon|well)){1,2}"
    r"(?: (?:again|already|now|soon))?",
    r"(?:best|kind|warm) regards|sincerely|have a (?:great|nice|good|lovely) (?:day|one|week|time|weekend|trip)",
    r"(?:i(?:'m| am) )?(?:really |so |very )*sorry(?: (?:to hear|for|about)(?: [a-z']+){1,8})?|my apologies",
    r"(?:i )?apologi[sz]e(?: for [a-z' ]{1,60})?",
    r"i (?:completely |fully |totally )?(?:understand|appreciate) (?:your|the|how)(?: [a-z']+){0,3} "
    r"(?:frustrat\w+|concerns?|confusion|question|situation|issue|problem|interest|patience)(?: [a-z']+){0,4}",
    r"(?:i )?(?:really )?(?:hope|trust) (?:this|that|it|these|everything)(?: [\w']+){0,2} (?:helps?|useful|clear|"
    r"answers?|clarifies|"
    r"clears)(?: [\w']+){0,6}",
    rf"(?:please |just |and )*(?:(?:don'?t hesitate|feel free) to (?:ask|reach out|contact|get in touch|let me "
    rf"know)|let me know|"
    rf"reach out|tell me){_WORDS}",
    r"if you (?:have|need|want|would like|'d like|run into)(?: [a-z'/-]+){0,8},? (?:please |just |feel free to "
    r")*(?:let me know|ask|"
    r"reach out|tell me|i(?:'m| am) (?:here|happy|glad)(?: to help)?)",
    rf"(?:i(?:'d| would) be|i(?:'m| am)) (?:here|happy|glad) to (?:help|assist|explain|clarify|elaborate){_WORDS}",
    rf"i (?:can|could|will|'ll) (?:also )?(?:explain|show you|walk you|elaborate|look into|go into){_WORDS}|"
    r"i (?:can|could|will|'ll) (?:help|assist)(?: you)?(?: with (?:that|this|it|your (?:question|request|issue|"
    r"problem)))?",
    rf"let(?:'s| me| us) (?:explain|see|take a look|walk|look|break|dive|clarify|know|check|show){_WORDS}",
    r"(?:as|speaking as|i(?:'m| am)(?: just| only)?) an? (?:ai|artificial|large)[\w -]{0,40}(?:model|assistant|ai|"
    r"chatbot|system)",
    r"(?:as an ai[\w ]{0,30}, )?i(?:'m| am) (?:just |only )?(?:not )?an? (?:\w+ )?(?:doctor|physician|lawyer|"
    r"professional|expert|bot|ai|"
    r"advisor|adviser|pharmacist|attorney|accountant)",
    r"(?:sure|certainly|of course|absolutely|definitely|okay|ok|alright|right|great|well|got it|understood)"
    r"(?: thing)?(?:,? (?:here you go|happy to help|i can help(?: you)?(?: with that)?))?",
))  # fmt: skip
_EMPTY = "|".join((
    r"(?:here|below)(?:'s| is| are)(?: [a-z'/-]+){0,4} (?:examples?|lists?|steps?|overview|summary|breakdown|details|"
    r"answer|ways?|how|what|options|code|snippet|information|explanation|guide|table|comparison|instructions|points|things|go|"
    r"order|sequence|gist|rundown|json|yaml|xml|csv|output|response|result)"
    r"(?: [a-z'/-]+){0,6}",
    r"(?:for example|for instance|e\.?g|example|like (?:so|"
    r"this)|as follows|"
    r"in short|in summary|to summari[sz]e|summary|note|tip|overview|in other words|the details|details|answer|"
    r"short answer|tl;?dr)",
    r"(?:the|your|this|that|its|it)(?: [\w'-]+){0,5}? (?:is|are|works?|goes|looks?|can be)(?: [a-z]+ed)? (?:as follows|"
    r"like this|this way)",
    r"(?:it|that|this) (?:really |all |very much )?depends(?: (?:on|upon)(?: [\w'-]+){1,5})?",
    r"(?:for|with|in|on) (?:[\w'-]+ ){1,4}?(?:it|that|this) (?:really |all |very much )?depends",
    r"(?:there are|you have) (?:two|three|four|five|several|a few|some|many|multiple|a couple of|different) (?:\w+ )?"
    r"(?:ways|options|things|possibilities|approaches|reasons|points|steps|cases|answers)(?: (?:to|of|for|here|"
    r"worth|you)(?: (?!(?:with|by|via|using|without|and|or)\b)[\w'-]+){0,8})?",
    r"(?:but |though |and )?(?:with|there(?:'s| is| are)) (?:one|an?|two|some|a few) (?:\w+ )?"
    r"(?:catch(?:es)?|caveats?|hitch(?:es)?|snags?|hurdles?|provisos?)|(?:but )?(?:each|both|either) (?:has|have) "
    r"(?:its|their|an?|one) (?:own )?(?:hurdles?|catch|caveats?|snags?|quirks?)|(?:other|(?:some|a few|two|three)"
    r"(?: other| more)?) (?:things|points|places) (?:worth (?:a look|checking|knowing|noting)|to (?:check|know|note))",
    r"(?:two|three|four|several|a few) (?:rules|cases)(?: (?:apply|matter|to note|here))?",
    rf"{ANNOUNCES}",
    r"(?:the )?(?:main|key|essential|important|most important) (?:points|facts|rules|things|details)(?: (?:in (?:short|"
    r"brief)|at a glance|first|are))?",
    r"(?:quite|rather|pretty)? ?(?:a lot|a bit|somewhat|mostly|partly|sort of|kind of|not much|not really)(?:,? "
    r"(?:actually|really|yes))?",
    r"(?:do|use|try|run|follow|take|see) (?:this|these|the following)(?: (?:steps?|way|below|instructions|command|"
    r"code|snippet|example))*",
    r"(?:(?:just|simply|please) |(?:i|you|we)(?:'d| would) )?"
    r"(?:do|use|run|call|write|set|create|configure|define|pass|start|open|import)"
    r"(?: (?!(?:to|with|in|by|if|and|or|for|from)\b)[a-z_.-]+){0,4} "
    r"(?:like (?:this|so)|as follows|(?:in )?this way|as shown(?: below| here)?)",
    r"(?:that|this)(?:'s| is) (?:expected|normal|it|all|correct|right|true|intentional|by design)",
))  # fmt: skip
_OPINION = (
    r"(?:(?:in my opinion|personally|i (?:think|feel|believe|find)(?: that)?|imo),? )*(?:it|that|this|which|both|"
    r"they)(?:'s| is|'re| are)"
    r"(?: an?| really| very| quite| pretty| such| so| a bit| absolutely)*"
    r" (?:great|good|nice|fine|excellent|awesome|amazing|wonderful|fantastic|handy|lovely|neat|cool|interesting|"
    r"annoying|confusing|"
    r"tricky|beautiful|elegant|my favou?rite|a matter of taste)(?: (?:idea|choice|option|feature|thing|one|library|"
    r"tool|solution|deal|place|product|app|service|country|city))?"
)
_ASKED = re.compile(r"^(?:q|question|user)\s?\d{0,3}\s*[:.]\s+(?=.*\?$)", re.IGNORECASE)
_REFERENCE = re.compile(r"\s*\[\^?[\w-]{1,40}\]:\s*<?https?://\S{1,2000}(?:\s+\"[^\"]{0,200}\")?\s*")
_JOINED = re.compile(r"[,;] +(?:so|and|but) +|; +", re.IGNORECASE)
_TAGS = re.compile(r"^(?:</?[A-Za-z][\w-]{0,30}>?\s*)+$")
_TASTE = (
    r"(?:personally,? )?i (?:personally )?(?:prefer|like|love|enjoy)(?: (?!(?:that|which|who|because)\b)[a-z']+){1,6}"
)
_COUNTED = re.compile(
    r"\b(?:(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|ten|eleven|twelve|hundred|"
    r"thousand|million|per ?cent)\b",
    re.IGNORECASE,
)  # no courtesy counts so far
_HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
_COUNT = re.compile(rf"{COUNT}\b", re.IGNORECASE)
_DEPENDS = re.compile(r"(?:it|that|this)(?: (?:really|all|very much))? depends (?:on|upon)\b", re.IGNORECASE)
_WHOLE = re.compile(rf"(?:{_POINTER}|{_COURTESY}|{_EMPTY}|{_OPINION}|{_TASTE}|{_ADVICE})", re.IGNORECASE)


def nonclaim(text: str) -> bool:
    """Whether the plain sentence `text` asserts nothing that documents could bear out; unsure is False."""
    bare = " ".join(text.replace("’", "'").split()).strip(" *_\"'()[]-–—•>")
    if len(bare) > _MAX or _REFERENCE.fullmatch(text):
        return len(bare) <= _MAX
    bare = _ASKED.sub("", bare)
    if bare.endswith(("?", "？", "؟")):
        at = turn(bare)
        return asks(bare) or (at > 0 and (opens(bare[:at]) or nonclaim(bare[:at])))
    bare = bare.rstrip(" .!:,;…")
    parts = _JOINED.split(bare)
    if len(parts) > 1:
        return all(nonclaim(part) for part in parts)
    bare = _TAGS.sub("", bare)
    polite = _WHOLE.fullmatch(bare) and not _COUNTED.search(bare)
    return not any(c.isalnum() for c in bare) or bool(polite) or abstains(bare) or declined(bare)


def idle(text: str, question: str) -> bool:
    """Whether the plain sentence `text` is no claim, and not what `question` asks for either, as `Two reminders` is of
    `How many reminders are sent?` and `It depends on the weight` of `What does it depend on?`."""
    if not nonclaim(text):
        return False
    if _DEPENDS.match(text):
        return "depend" not in question.lower()
    said = words(text) if _COUNT.match(text) else []
    return not (said and stem(said[-1]) in _counted(question))


@lru_cache(maxsize=64)  # every sentence of an answer asks
def _counted(question: str) -> frozenset[str]:
    """The stems of a question about a number; none of any other."""
    return frozenset(map(stem, words(question))) if _HOW_MANY.search(question) else frozenset()


def abstains(text: str) -> bool:
    """Whether the sentence says that the answer is not known or not in the documents, and nothing beside it."""
    if any(not nonclaim(said) for said in set_apart(text)):
        return False  # `I am not sure (the fee is 30 euros)`
    return lacking(text) or unknown(text)
