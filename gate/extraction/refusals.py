"""Refusals in German, French and Spanish: sentences that say that the answer is not known, and nothing beside it."""

from __future__ import annotations

import re

# No claim rides along: neither a clause behind a conjunction nor a figure.
_TAIL = r"(?: (?!(?:aber|sondern|denn|weil|und|da|mais|car|et|pero|sino|porque|y)\b)[^\W\d]['\w]*){0,9}"
_MORE = r"(?:dazu|darüber|hierzu|hierüber|diesbezüglich|zu (?:dieser|ihrer|deiner|der) frage)"
_ABOUT = rf"(?: (?:{_MORE}|(?:über|zu|zur|zum)\b{_TAIL}))?"
_NOTHING = r"(?:keine (?:\w+ )?(?:informationen|angaben|daten|auskunft|kenntnisse|hinweise|antwort)|nichts)"
_FILES = (
    r"(?:(?:die|der|das|den|dem|meine|meinen|diesen?|diesem|vorliegenden|bereitgestellten|verfügbaren) ){0,3}"
    r"(?:dokumente?n?|dokumentation|unterlagen|quellen?|kontext|informationen|texte?n?)"
)
_GERMAN = "|".join((
    rf"{_MORE} (?:(?:habe|finde|kann) ich|haben wir|liegen mir|gibt es|steht|findet sich)(?: in {_FILES})?(?: leider)? "
    rf"{_NOTHING}(?: in {_FILES})?(?: (?:vor|finden|sagen|geben))?",
    rf"(?:ich|wir) (?:habe|haben|finde|finden)(?: leider)?(?: {_MORE})?(?: leider)? {_NOTHING}{_ABOUT}",
    r"(?:das weiß ich|ich weiß(?: es| das)?)(?: leider)? nicht(?: genau| sicher)?",
    r"(?:ich kann (?:das|die frage|diese frage|ihre frage)|(?:das|die frage|diese frage|ihre frage) kann ich)"
    r"(?: leider)? nicht (?:beantworten|sagen)",
    rf"(?:enthält|enthalten|nennen|sagt|sagen) {_FILES}(?: leider)?(?: {_MORE})?(?: leider)? {_NOTHING}{_ABOUT}",
    rf"{_FILES} (?:enthält|enthalten|nennt|nennen|sagt|sagen|macht|machen)(?: leider)?(?: {_MORE})?(?: leider)? "
    rf"{_NOTHING}{_ABOUT}",
))  # fmt: skip
_DOCUMENTS = (
    r"(?:(?:les|le|la|ces|ce|cette|mes) )?(?:documents?|documentation|sources?|contexte|textes?)"
    r"(?: (?:fournie?s?|disponibles?))?"
)
_FACTS = r"(?:informations?|renseignements?|données?|réponse|détails?)"
_SUBJECT = rf"(?: (?:à ce sujet|là-dessus|sur ce point|(?:sur|concernant)\b{_TAIL}))?"
_FRENCH = "|".join((
    r"je ne sais(?: malheureusement)? pas",
    rf"(?:je|nous) n(?:e |')(?:dispose|disposons|ai|avons|trouve|trouvons)(?: malheureusement)? "
    rf"(?:pas (?:d'|de |cette |ces )|(?:d')?aucune? ){_FACTS}{_SUBJECT}",
    r"je ne peux(?: malheureusement)? pas (?:vous )?répondre(?: à (?:cette|votre) question)?",
    rf"{_DOCUMENTS} ne (?:mentionnent?|précisent?|disent|dit|contiennent|contient|donnent?) "
    rf"(?:rien|(?:pas (?:d'|de )|aucune? ){_FACTS}){_SUBJECT}",
))  # fmt: skip
_PAPERS = (
    r"(?:(?:los|las|el|la|estos|estas|este|esta|mis) )?(?:documentos?|documentación|fuentes?|contexto|textos?)"
    r"(?: (?:proporcionad[oa]s?|disponibles?))?"
)
_NEWS = r"(?:(?:ninguna|más|esa|suficiente) )?(?:información|datos|detalles|respuesta)"
_MATTER = rf"(?: (?:al respecto|sobre (?:eso|ello)|(?:sobre|acerca de)\b{_TAIL}))?"
_SPANISH = "|".join((
    r"no lo sé|no sé(?: la respuesta)?",
    rf"no (?:tengo|tenemos|dispongo de|disponemos de|encuentro|encontré|he encontrado) {_NEWS}{_MATTER}",
    r"no puedo (?:responder|contestar)(?: (?:a )?(?:esta|esa|su|tu) pregunta)?",
    rf"{_PAPERS} no (?:mencionan?|dicen?|contienen?|indican?) (?:nada|{_NEWS}){_MATTER}",
))  # fmt: skip
_SORRY = (
    r"(?:(?:leider|(?:es )?tut mir leid|entschuldigung|désolée?|je suis désolée?|malheureusement|lo siento|perdón|"
    r"lamentablemente|aber|mais|pero),? ){0,3}"
)
_WHOLE = re.compile(rf"{_SORRY}(?:{_GERMAN}|{_FRENCH}|{_SPANISH})", re.IGNORECASE)


def declined(text: str) -> bool:
    """Whether `text`, a sentence without its full stop, is a refusal in one of these languages; unsure is False."""
    return _WHOLE.fullmatch(text) is not None
