"""Words of English grammar that the extractor goes by: verbs, subordinators, pronouns, determiners."""

from __future__ import annotations

_VERB_LIST = """
abort absorb accelerate accept access accommodate accrue achieve acknowledge acquire act activate adapt add address
adjust administer adopt affect aggregate agree aim air alert align allocate allow amend amortize analyse analyze
annotate announce answer appeal appear append apply approve approximate archive arrange arrive ask assert assess
assign assist assume attach attempt attend audit authenticate authorise authorize avoid await backfill bake balance
bear become beep begin behave believe belong benefit bill bind bleed blink block board boil bolt bookmark boost boot
border break breathe bring buffer build burn buy bypass cache calculate calibrate call cancel capture carry catch
cause cease certify change characterize charge chase check checkout choose chunk claim clamp classify clean clear
click clip clone close coach collect combine come commit compare compile complete comply compose compress comprise
compute conclude conduct configure confirm conform connect consider consist construct consult consume contact contain
continue contribute control convert cook cool copy correspond cost count cover crash create credit crimp cure
customize cut deactivate deal debit debut decide declare decline decode decompress decrease deduct default defer
define delay delete deliver demand demote denote deny depart depend deplete deploy deprecate depreciate derive
describe design destroy detach detect deter determine develop dial die differ digest direct disable disappear discard
disclose disconnect discontinue discover discuss disinfect dismount dispense display dispute dissolve distinguish
distribute divide do dock document double downgrade download drag drain draw drink drive drop dry earn ease eat edit
elapse elect eliminate email embed emit enable enclose encode encompass encrypt end enforce engage enhance enjoy enrol
enroll ensure enter entitle equal erase erupt escalate escape establish evaluate evict exceed exchange exclude excrete
execute exhaust exist exit expand expect expire explain explore export expose extend extract facilitate fail fall fast
fax feature feed feel fetch fill filter find fine fine-tune finish fit fix flash flow flush focus fold follow forbid
force forfeit forget fork forward found free freeze fulfil function fund gain generate get give go govern graduate
grant ground group grow guarantee guard guess guide hand handle hang happen hash hate have hear heat help hide
highlight hinder hinge hire hit hold honor honour hook hope host house hover identify ignore illuminate illustrate
implement imply import improve include incorporate increase incur index indicate infer inform inhabit inherit inhibit
initialise initialize initiate inject insert inspect install instantiate instruct insulate insure integrate interact
interpret interrupt intersect interview introduce invest investigate invite invoice invoke involve issue itch iterate
join keep kick kill know label lack land lapse last latch launch lead leak lean learn lease leave let levy license
lift like limit link lint list listen live load lock lodge log look loop loosen lose love lower lowercase lubricate
mail maintain make manage mandate manipulate map mark marry mask match matter mature maximize mean measure meet
mention mentor merge metabolize migrate minimize miss modify monitor motivate mount move multiply mute name navigate
need negate negotiate neighbour nest nominate normalise normalize note notify numb oblige obtain occupy occur offer
omit open operate opt optimize orbit order organise organize originate outlast outline outperform output outweigh
overflow overload override oversee overwrite owe own pack pad paint pair park parse participate pass paste patch pause
pay peak penalise penalize perform permit persist phone pick pin ping pipe place play plug point poll pool pop
populate post pour precede prefer prefix premiere prepare prescribe preserve press prevent print prioritize proceed
process produce prohibit promise promote prompt propagate protect prove provide proxy publish pull purchase purge
pursue push put qualify query queue quit quote raise range rank reach react read rebase rebook reboot rebuild receive
recharge recognise recognize recommend reconfigure record recover recruit redeem redirect reduce refer refill reflect
refrigerate refund refuse register regulate reimburse reindex reinstate reject relate relay release relieve rely
remain remember remind remove rename render renew rent reopen repair repay repeat replace replicate reply report
represent reproduce request require rerun resemble reserve reset reside resign resolve respect respond restart restore
restrict result resume retain retire retrieve retry return reuse reverse revert review revise revoke revolve rewrite
ring rinse rise roast roll rotate round route run sample sanitise sanitize satisfy saturate save say scale scan
schedule score screw scroll seal search seat secrete secure see select sell send separate serialize serve set settle
shape shard share shift ship shorten show shrink shut sign signal silence simmer simplify simulate sit skip slide slow
snap solder solve soothe sort span spawn speak specify speed spend split sponsor spread squeeze staff stage stall
stamp stand star start stash state stay stem step sterilize stir stop store stream strengthen stress stretch strip
study subclass submit subscribe subtract succeed sue suffer suffice suggest suit superclass supersede supervise supply
support suppose surrender survive suspend swallow swap swell swim swipe switch sync synchronise synchronize tag take
talk tap taper target taste teach tell tend terminate test text thaw think throttle throw tie tighten tilt time toggle
tokenize tolerate total touch traceroute track trade train transfer transform translate transmit travel treat trigger
trim truncate trust try tunnel turn type undergo understand underwrite undock unfold unlatch unlock unmute unpack
unplug unwrap update upgrade upload use vacuum validate vary vent ventilate verify vest view violate visit void vote
wait waive wake walk want warn wash waste watch wear weigh weld win wind wipe wire withdraw work worry wrap write
yield
"""
BASE = frozenset(_VERB_LIST.split())


def third(verb: str) -> str:
    """The third person of a verb."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "ed"


_DOUBLED_LIST = (
    "stopped dropped skipped shipped stripped wrapped mapped trimmed planned logged pinned committed submitted"
)
_IRREGULAR_LIST = (
    "became began broke brought built came chose did drew fell found gave went grew held kept knew left led lost made "
    "meant met paid ran rose said saw sent shut sold spent stood took threw told won wrote got had bought caught fed"
)
THIRD = frozenset({third(verb) for verb in BASE} | {"has", "does"})
PAST = frozenset({_past(verb) for verb in BASE} | {*_DOUBLED_LIST.split(), *_IRREGULAR_LIST.split()})
_AUX_LIST = (
    "is are was were am be been has have had do does did can could will would shall should may might must cannot ought "
    "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shan't "
    "shouldn't mightn't mustn't needn't ain't"
)
AUX = frozenset(_AUX_LIST.split()) - {"be", "been"}
_CLITIC_LIST = (
    "it's that's there's here's what's they're you're we're i'm he's she's it'll they'll you'll we'll that'll i'll "
    "i've you've we've they've i'd you'd we'd they'd it'd who's"
)
CLITICS = frozenset(_CLITIC_LIST.split())  # a subject and its verb in one word
_SUBJECT_LIST = (
    "it they he she we you i this that these those there everything nothing everyone anyone nobody each both"
)
SUBJECTS = frozenset(_SUBJECT_LIST.split())
_PLURAL_LIST = "they we you i these those people both some most many all"
PLURAL = frozenset(_PLURAL_LIST.split())
_DETERMINER_LIST = (
    "the a an its their his her our your my this that these those each every any some no all both most many several "
    "another other one two three four five six seven eight nine ten"
)
DETERMINERS = frozenset(_DETERMINER_LIST.split())
_PREPOSITION_LIST = (
    "of in on at to for from by with without as into onto about over under via per than between among through during "
    "before after against within across inside outside behind beyond like unlike until upon toward towards except"
)
PREPOSITIONS = frozenset(_PREPOSITION_LIST.split())
_CONDITION_LIST = (
    "if when whenever once unless until while after before where wherever although though because since as"
)
CONDITIONS = frozenset(_CONDITION_LIST.split())
_RELATIVE_LIST = "that which who whom whose where what why how whether"
RELATIVES = frozenset(_RELATIVE_LIST.split())
_ADVERB_LIST = (
    "also then just simply please first next finally now still always never usually normally typically often "
    "only really actually otherwise instead afterwards later therefore thus additionally however optionally "
    "alternatively not even"
)
ADVERBS = frozenset(_ADVERB_LIST.split())
