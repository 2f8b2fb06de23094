"""Words that the rules exchange: opposites, duties, quantifiers, units, number words and plain rewordings."""

from __future__ import annotations

OPPOSITES = """
enable/disable enables/disables enabled/disabled allow/forbid allows/forbids allowed/forbidden accept/reject
accepts/rejects accepted/rejected include/exclude includes/excludes included/excluded before/after always/never
increase/decrease increases/decreases increased/decreased required/optional first/last minimum/maximum smaller/larger
more/less greater/smaller higher/lower fewer/more earlier/later faster/slower true/false read/write open/closed
opened/closed start/stop starts/stops started/stopped begin/end begins/ends client/server input/output local/remote
public/private internal/external static/dynamic ascending/descending left/right upper/lower inside/outside
with/without above/below parent/child source/target old/new newer/older oldest/newest add/remove adds/removes
added/removed create/delete creates/deletes created/deleted lock/unlock keeps/drops succeed/fail succeeds/fails
valid/invalid visible/hidden explicit/implicit explicitly/implicitly same/different equal/unequal mutable/immutable
safe/unsafe temporary/permanent synchronous/asynchronous possible/impossible available/unavailable known/unknown
signed/unsigned single/multiple shared/exclusive encrypted/plain up/down next/previous oldest/latest sender/recipient
buyer/seller employer/employee landlord/tenant customer/supplier weekday/weekend daily/weekly monthly/yearly
weekly/monthly morning/evening refund/charge refunded/charged free/paid domestic/foreign refuses/accepts rise/fall
rises/falls until/from during/after success/failure import/export sends/receives send/receive sent/received
longer/shorter longest/shortest load/unload commit/rollback reader/writer readers/writers primary/standby
positive/negative even/odd rows/columns row/column uppercase/lowercase case-sensitive/case-insensitive
automatically/manually recommended/discouraged supported/deprecated forward/backward fixed/variable full/empty
relative/absolute early/late cheaper/dearer success/error warning/error
"""

DUTIES = {
    "must not": ["may", "must", "can"],
    "must": ["need not", "must not", "should not"],
    "may not": ["may", "must"],
    "may": ["must", "may not", "must not"],
    "cannot": ["can", "must"],
    "can't": ["can"],
    "can": ["cannot", "must"],
    "should not": ["should", "must"],
    "should": ["should not", "need not"],
    "has to": ["need not"],
    "have to": ["need not"],
    "is required to": ["is free not to", "is forbidden to"],
    "is not allowed": ["is allowed"],
    "is allowed": ["is not allowed"],
    "needs to": ["need not"],
    "is optional": ["is mandatory"],
}

AMOUNTS = {
    "all": ["some", "only some", "none of"],
    "every": ["no", "only one"],
    "each": ["only one", "no"],
    "only if": ["even if"],
    "only when": ["even when"],
    "only": ["not only", "everything but"],
    "at least": ["at most", "less than"],
    "at most": ["at least", "more than"],
    "no more than": ["at least"],
    "up to": ["at least", "more than"],
    "more than": ["less than", "at most"],
    "less than": ["more than", "at least"],
    "exactly": ["at least", "about"],
    "any": ["no", "only one"],
    "both": ["neither of", "only one of"],
    "either": ["neither"],
    "by default": ["only if requested", "only on request"],
    "unless": ["if", "only if"],
    "if": ["unless", "even if not"],
    "when": ["except when"],
    "even if": ["only if"],
    "because of": ["in spite of"],
    "because": ["although"],
    "instead of": ["in addition to"],
    "as well as": ["but not"],
    "except": ["including"],
    "except for": ["including"],
    "once": ["before"],
    "immediately": ["only after a delay"],
    "usually": ["never"],
    "most": ["few"],
    "many": ["few"],
    "several": ["no"],
    "none": ["all"],
    "no longer": ["still"],
    "or": ["and"],
    "and": ["or"],
}

UNITS = """
milliseconds/seconds seconds/minutes minutes/hours hours/days days/weeks weeks/months months/years bytes/kilobytes
kilobytes/megabytes KB/MB MB/GB kB/MB GB/TB bits/bytes second/minute minute/hour hour/day day/week week/month
month/year byte/bit bytes/pages characters/bytes km/m cm/mm kg/g USD/EUR $/€ £/€ percent/points calendar/working
business/calendar
"""

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen"),
)

REWORDINGS = {
    "must not": ["may not", "is not allowed to"],
    "must": ["has to", "needs to"],
    "cannot": ["can't", "is unable to"],
    "can": ["is able to", "may"],
    "does not": ["doesn't"],
    "do not": ["don't"],
    "is not": ["isn't"],
    "are not": ["aren't"],
    "it is possible to": ["one can", "you can"],
    "for example": ["for instance", "e.g."],
    "however": ["but"],
    "therefore": ["so", "hence"],
    "in order to": ["to"],
    "because": ["since", "as"],
    "if": ["in case", "whenever", "as soon as"],
    "when": ["whenever", "if"],
    "such as": ["like"],
    "at least": ["no fewer than", "a minimum of"],
    "at most": ["no more than", "a maximum of", "up to"],
    "up to": ["at most", "no more than", "never more than"],
    "no more than": ["at most", "up to"],
    "not before": ["only after"],
    "only after": ["not before"],
    "as soon as": ["once", "the moment"],
    "every": ["each", "any"],
    "more than": ["over"],
    "fewer than": ["under"],
    "uses": ["makes use of", "employs"],
    "used": ["employed"],
    "returns": ["gives back", "yields"],
    "returned": ["given back"],
    "contains": ["holds", "has"],
    "allows": ["lets", "permits"],
    "allowed": ["permitted"],
    "forbidden": ["not allowed", "prohibited"],
    "required": ["needed", "mandatory", "necessary"],
    "optional": ["not required", "not mandatory"],
    "by default": ["unless told otherwise", "if nothing else is set"],
    "default": ["preset", "standard"],
    "specifies": ["sets", "defines"],
    "specified": ["given", "set"],
    "creates": ["makes", "sets up"],
    "created": ["made"],
    "deletes": ["removes"],
    "deleted": ["removed"],
    "removed": ["deleted", "taken out"],
    "begins": ["starts"],
    "ends": ["finishes"],
    "before": ["prior to", "ahead of"],
    "after": ["following", "once there has been"],
    "until": ["up to the moment of", "till"],
    "several": ["a number of", "multiple"],
    "many": ["a lot of", "numerous"],
    "only": ["solely", "just"],
    "always": ["in every case", "invariably"],
    "never": ["at no time", "not ever"],
    "automatically": ["by itself", "without further action"],
    "immediately": ["at once", "right away"],
    "also": ["too", "as well"],
    "large": ["big"],
    "small": ["little"],
    "same": ["identical"],
    "different": ["distinct", "other"],
    "shows": ["displays"],
    "stored": ["kept", "saved"],
    "available": ["on offer", "at hand"],
    "provides": ["offers", "gives"],
    "requires": ["needs", "calls for"],
    "ignored": ["disregarded", "not taken into account"],
    "error": ["failure", "fault"],
    "each": ["every"],
    "all": ["every one of the"],
    "unless": ["except if"],
    "method": ["function"],
    "function": ["routine"],
    "value": ["setting"],
    "within": ["inside"],
    "receive": ["get"],
    "receives": ["gets"],
    "whether": ["if"],
    "causes": ["leads to", "brings about"],
    "fails": ["doesn't succeed"],
    "takes": ["accepts"],
    "identical": ["the same"],
    "first": ["initial"],
    "last": ["final"],
}
