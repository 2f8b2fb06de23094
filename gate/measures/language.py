"""Which texts the local tools cannot read: they know English, and a number about another language is a guess."""

from __future__ import annotations

import unicodedata

from gate.text import STOPWORDS, normalise, tokens

LONGEST = 4000  # characters that tell the language of a text
OTHER = 0.3  # share of letters of another script from which a text is not English
FEW = 2  # words of another language that tell it, where they outnumber the English ones
MANY = 8  # words that hold one or the other English function word, if they are English
STRANGE = 2  # common words with letters such as ł or ü that tell it, where no English function word is
_SHARED_LIST = "a am as do he her his i in me on so up us was we will d m re s t"  # words of other languages too
_ENGLISH = STOPWORDS - frozenset(_SHARED_LIST.split())
# Function words of German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Turkish and romanised Hindi
# that are no English words.
_FOREIGN_LIST = (
    "der die pro und ist das nicht ein eine einen einem eines mit auf für von zu zum zur dem den sind wird werden kann "
    "können sie wir ich auch nach bei oder wie wenn nur noch über aus im "
    "le la les des est une dans pour que qui sur avec pas vous nous sont il elle ne ce cette au aux du et ou votre "
    "el los las y en una por para con del se su es está puede como más lo al si usted son "
    "di che è per non un della dei nel gli ha come sono questo anche "
    "os da em não uma com dos ao seu você pelo "
    "het een van en niet op te zijn voor met dat deze wordt kan naar "
    "och att det som är inte ett på av den till "
    "nie się na jest do w z że jak oraz dla przez po "
    "ve bir bu için ile olarak gün değil "
    "hai hain mein ka ki ke ko se nahi kya aap aapka aur yeh din aa"
)
_FOREIGN = frozenset(_FOREIGN_LIST.split()) - {"do", "on", "a", "as", "am", "so"}
# Words that open questions, or tell what something costs, in the same languages and nothing in English: one is enough
# where a text has no English function word.
_SURE_LIST = (
    "cuánto cuánta cuántos cuántas cuándo cuál cuáles dónde cómo qué quién cuesta cuestan tengo puedo "
    "combien quand où quel quelle quels quelles pourquoi coûte coûtent puis-je êtes "
    "wieviel wann warum wieso welche welcher welches kostet kosten gibt seid habt öffnet ihr "
    "quanto quanta quanti quando quale quali perché costano custa custam quais "
    "hoeveel wanneer waar waarom welke kost vad när varför kostar "
    "ile kiedy gdzie jaki jaka jakie kosztuje kaç nasıl nerede kitna kitne kab kahan kaise"
)
_SURE = frozenset(_SURE_LIST.split())


def unread(text: str) -> bool:
    """Whether `text` is surely not English: another script, or other function words. Code, names, amounts and what is
    too short to tell are read."""
    start = normalise(text[:LONGEST])
    letters = [c for c in start if c.isalpha()]
    if not letters:
        return False
    if sum(not _latin(c) for c in letters) > OTHER * len(letters):
        return True
    words = [token for token in tokens(start) if token.isalpha()]
    english = sum(word in _ENGLISH for word in words)
    foreign = sum(word in _FOREIGN for word in words)
    if foreign >= FEW and foreign > english:
        return True
    if english:
        return False
    if len(start.split()) > 1 and (not _SURE.isdisjoint(words) or not {"¿", "¡"}.isdisjoint(start)):
        return True
    strange = sum(not word.isascii() and word[0].islower() for word in start.split())
    return strange >= (1 if len(words) >= MANY else STRANGE)


def _latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


def why_unread(**texts: str) -> str:
    """Why nothing can be said of these texts, by their names; empty where all can be read."""
    found = [f"the {name}" for name, text in texts.items() if unread(text)]
    verb = "are" if len(found) > 1 else "is"
    return f"{' and '.join(found)} {verb} not in English, which is all that the local tools read" if found else ""
