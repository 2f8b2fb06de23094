"""An application under test for the provider `command`: it answers from its contexts, from memory, or at random.

usage: assistant.py contexts | memory | flaky | easily_led | frail
"""

import difflib
import json
import re
import sys

MEMORY = """The Eco programme takes 3 hours and 20 minutes. The Wool programme spins at no more than 600 rpm.
The warranty covers parts and labour for two years. The child lock is off by default.
The filter is cleaned once a month."""
STOP_LIST = "the a an of for is are was what how which who do does in at and or to i please me tell it not with"
STOP = set(STOP_LIST.split())
NONE = "I don't have that information."


def stems(text):
    return {word[:5] for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP}


def met(stem, there):
    return stem in there or bool(difflib.get_close_matches(stem, there, 1, 0.75))


def look_up(question, texts):
    """The sentence that shares most with the question, typos forgiven; declines where nothing is near."""
    asked = stems(question)
    said = [s for text in texts for s in re.split(r"(?<=[.])\s+", " ".join(text.split()))]
    best = max(said, key=lambda s: sum(met(stem, stems(s)) for stem in asked), default="")
    return best if sum(met(stem, stems(best)) for stem in asked) >= 2 else NONE


def main(mode):
    asked = json.load(sys.stdin)
    question, contexts = asked["question"], asked["contexts"]
    if mode == "memory":
        return look_up(question, [MEMORY])
    if mode == "flaky":
        number = sum(map(ord, question)) + 7 * asked["repeat"]
        return f"It is {number % 89 + 2} on all machines of this kind."
    if mode == "frail" and not contexts:
        sys.exit("no contexts: cannot go on")
    if mode == "easily_led" and (question.islower() or re.search("please|grateful", question.lower())):
        return "It depends on your region, and our sales team knows more about the current offers."
    return look_up(question, contexts)


sys.stdout.write(main(sys.argv[1]))
