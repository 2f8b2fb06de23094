"""Questions in other languages than English, by the words that they begin or end with."""

from __future__ import annotations

import re

_EAST = re.compile(r"[吗嗎呢么何哪谁誰]|什么|什麼|怎|请问|か？|か\?|까？|까\?")
_GERMAN = (
    r"(?:(?:und|aber|oder|also|gut|noch) )?(?:was|wer|wen|wem|wessen|wann|wo|wohin|woher|wie|warum|wieso|weshalb|"
    r"welche[rsmn]?|wofür|womit|worum|worüber|woran|inwiefern|noch fragen|sonst noch|"
    r"(?:ist|sind|war|waren|ha(?:t|ben|st|bt)|kann(?:st)?|könn(?:en|ten?|test)|dar(?:f|fst)|dürf(?:en|te)|soll(?:en|st|"
    r"ten?)?|möcht(?:en?|est)|woll(?:en|t)|will(?:st)?|brauch(?:en|st|t)|benötig(?:en|st|t)|wünsch(?:en|st|t)|gibt|"
    r"wird|werden|würd(?:en?|est)|muss|müssen|bist|seid|such(?:en|st)|hilft|passt|passen|funktioniert|geht|stimmt) "
    r"(?:ich|sie|du|ihr|wir|er|es|man|das|dies|der|die|den|ihnen|dir|euch|noch|sonst|ihre?|deine?|etwas|jemand))\b"
)
_FRENCH = (
    r"(?:(?:et|mais|ou|alors) )?(?:(?:qu['’])?est-ce\b|qu['’]|que |quoi|quand|où|comment|pourquoi|combien|"
    r"quel(?:le)?s?\b|lequel|qui |besoin d|d['’]autres questions|"
    r"[\w'’]+-(?:t-)?(?:vous|tu|ils?|elles?|on|nous|je|ce)\b)"
)
_SPANISH = (
    r"¿|(?:quiere[sn]?|desea[sn]?|necesita[sn]?|puedo|podemos|prefieres?|(?:te|le) gustaría|hay algo|cómo|cuándo|"
    r"dónde|cuál(?:es)?|cuánt[oa]s?|qué|por qué|quién(?:es)?)\b"
)
_ITALIAN = (
    r"(?:vuo[il]e?|volete|desider[ai]|posso|possiamo|che cosa|cosa|come|quando|dove|perché|quant[oaie]|qual[ei]|chi|"
    r"c['’]è altro|(?:hai|ha|avete) (?:bisogno|altre|domande))\b"
)
_PORTUGUESE = (
    r"(?:você )?(?:quer(?:es|em)?|deseja|gostaria|precisa|posso|podemos|como|quando|onde|por que|qual|quais|"
    r"quant[oa]s?|quem|o que|tem (?:alguma|mais))\b"
)
_DUTCH = (
    r"(?:wilt? (?:u|je)|zal ik|ka?n (?:ik|je)|kunt u|heeft u|heb je|wat|wie|waar(?:om)?|wanneer|hoe|welke?|moet ik|"
    r"mag ik|(?:is|zijn) er)\b"
)
_OTHERS = (
    r"(?:czy|kto|gdzie|kiedy|jak|dlaczego|ile|któr[yae])\b|(?:vill|behöver|har|kan) (?:du|ni|jag)\b|(?:vad|hur|varför|"
    r"vilke[nt]|vem)\b|(?:ne zaman|nasıl|neden|nerede|kaç|hangi)\b|.*\bm[ıiuü](?:s[ıiuü]n(?:[ıiuü]z)?|y[ıi][mz])? ?\?$|"
    r"(?:хотите|хочешь|желаете|могу|можете|нужн[аоы]|есть ли|что|как|когда|где|почему|зачем|сколько|как(?:ой|ая|ие|ое)|"
    r"кто)\b|(?:क्या|कब|कहाँ|कैसे|क्यों|कौन|कितन)"
)
_ARABIC = r"(?:و|ف)?(?:هل|ما|ماذا|متى|أين|اين|كيف|لماذا|كم|من|أي|آیا|چه|چرا|چگونه|کجا)(?= )"
_ASKS = re.compile(
    "|".join((_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH, _OTHERS, _ARABIC)), re.IGNORECASE
)
_TOLD = re.compile(
    r"¿?(?:wuss?test?n? (?:sie|du|ihr)|hättest?n? (?:sie|du) gewusst|haben sie gewusst|ist (?:ihnen|dir) (?:bekannt|"
    r"klar|bewusst)|le savi(?:ez|ais)|(?:le )?sav(?:i?ez-vous|ais-tu)|sais-tu|sab[ií]as?|sabían?|sapev[aio]|sapevate|"
    r"wist (?:u|je)|(?:czy )?wiedziałe?a?ś|czy wiesz|visste du|biliyor muydun|знаете ли|знали ли|вы знали)"
    r"|(?:و|ف)?(?:هل|ألم|الم) (?:كنت )?(?:تعلم|تعرف|تدري)",
    re.IGNORECASE,
)
_GRANTED = re.compile(
    r"[,،;–—] ?(?:denn|weil|da|zumal|obwohl|car|puisque?|parce qu|porque|ya que|pues|poiché|perché|dato che|já que|"
    r"pois|want|omdat|ponieważ|bo|eftersom|çünkü|потому|так как|ведь)\b|[,،;–—] ?(?:لأن|فإن|علما|چون)|"
    r"\b(?:oder|nicht wahr|richtig|n['’]est-ce pas|verdad|vero|né|toch|prawda|eller hur|не так ли) ?\?$",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether a text that ends in a question mark asks in one of these languages and tells nothing; unsure is False:
    one with a reason or a tag (`..., oder?`) may tell."""
    if _TOLD.match(text) or _GRANTED.search(text):
        return False
    return bool(_EAST.search(text) if text.endswith("？") else _ASKS.match(text))
