"""Words of English grammar that the extractor goes by: verbs, subordinators, pronouns, determiners."""

from __future__ import annotations

import re

_VERB_LIST = """
abandon abolish abort absorb accelerate accept access accommodate accompany accomplish accrue accumulate accuse
achieve acknowledge acquire act activate adapt add address adhere adjust administer admire admit adopt advertise
advise affect aggregate agree aim air alert align alleviate allocate allot allow alter amend amortize amplify analyse
analyze annotate announce answer anticipate apologise apologize appeal appear append apply appoint appreciate approve
approximate archive arise arrange arrest arrive ascend ask assemble assert assess assign assist assume assure attach
attain attempt attend attract audit augment authenticate authorise authorize automate avoid await backfill bake
balance bathe bear become beep befriend beg begin behave believe belong bend benefit betray bill bind bite bleed bless
blink block blow board boast boil bolt book bookmark boost boot border borrow bounce break breathe breed bring broadcast
broaden browse brush buffer build burn bury buy bypass cache calculate calibrate call cancel capture carry catch cause
cease celebrate certify change characterize charge chase check checkout chew choose chunk circulate cite claim clamp
clarify classify clean clear click climb cling clip clone close coach coincide collaborate collapse collect collide
combine come commence commit communicate compare compensate compete compile complain complete complicate comply
compose compress comprise compute conceal concede conceive concentrate conclude condense conduct confer configure
confine confirm conform confront confuse connect conserve consider consist consolidate constitute constrain construct
consult consume contact contain contemplate contend continue contradict contribute control convene converge converse
convert convey convince cook cool cooperate coordinate cope copy correlate correspond cost count cover crash create
credit creep crimp criticise criticize crush cultivate curb cure customize cut dampen deactivate deal debit debut
decay decelerate decide declare decline decode decompose decompress decorate decrease dedicate deduce deduct deem
deepen default defeat defend defer define degrade delay delete deliver demand demolish demonstrate demote denote deny
depart depend depict deplete deploy deprecate depreciate deprive derive descend describe deserve design designate
destroy detach detain detect deter deteriorate determine develop devise devote dial dictate die differ differentiate
dig digest diminish direct disable disagree disallow disappear disappoint discard discharge disclose disconnect
discontinue discourage discover discuss disguise disinfect dislike dismiss dismount dispatch dispense disperse
displace display dispute disrupt dissipate dissolve distinguish distort distract distribute disturb diverge divert
divide do dock document dominate donate double downgrade download drag drain draw drink drive drop drown dry dwell
earn ease eat edit educate elapse elect elevate elicit eliminate email embark embed embrace emerge emit emphasise
emphasize employ empower emulate enable enact enclose encode encompass encourage encrypt end endanger endorse endure
enforce engage enhance enjoy enlarge enlist enquire enrich enrol enroll ensue ensure entail enter entertain entitle
enumerate envisage equal equip erase erode erupt escalate escape establish evaluate evaporate evict evoke evolve
exaggerate examine exceed excel exchange exclude excrete execute exempt exert exhale exhaust exhibit exist exit expand
expect expire explain explode exploit explore export expose extend extinguish extract facilitate fade fail fall
fascinate fast fasten fax feature feed feel ferment fetch fight fill filter find fine fine-tune finish fit fix flash
flatten flee flourish flow fluctuate flush fly focus fold follow forbid force foresee forfeit forget forgive fork
formulate forward foster found free freeze frighten frustrate fulfil fulfill function fund furnish gain gather gauge
gaze generate get give glow go govern graduate grant grasp greet grind ground group grow guarantee guard guess guide
halt halve hand handle hang happen harden harm harvest hash hate have heal hear heat help hesitate hide highlight
hinder hinge hire hit hold honor honour hook hope host house hover hurt identify ignore illuminate illustrate imagine
impair impede implement imply import impose impress improve include incorporate increase incur index indicate infect
infer inflate inflict inform infringe ingest inhabit inherit inhibit initialise initialize initiate inject injure
innovate inquire insert insist inspect inspire install instantiate instruct insulate insult insure integrate intend
intensify interact intercept interfere interpret interrupt intersect intervene interview introduce invade invent
invert invest investigate invite invoice invoke involve irrigate irritate isolate issue itch iterate join jump justify
keep kick kill kneel knit knock know label lack lag land lapse last latch laugh launch lay lead leak lean learn lease
leave lend lengthen lessen let levy license lie lift lighten like limit linger link lint list listen live load locate
lock lodge log look loop loosen lose love lower lowercase lubricate lure magnify mail maintain make manage mandate
manipulate map mark marry mask match materialise matter mature maximize mean measure mediate meditate meet melt
memorise memorize mention mentor merge metabolize migrate mimic mind minimize mislead miss mistake mitigate mix mobilise
mock modernise modify modulate monitor motivate mount mourn move multiply mute name navigate need negate neglect
negotiate neighbour nest nominate normalise normalize note notify numb nurture obey oblige obscure observe obstruct
obtain occupy occur offer omit open operate oppose opt optimize orbit order organise organize originate oscillate
outlast outline outnumber outperform output outweigh overcome overflow overhear overlap overload overlook override
oversee oversleep overtake overturn overwrite owe own pack pad paint pair park parse participate pass paste patch
pause pay peak peel penalise penalize penetrate perceive perform perish permit perpetuate persist persuade pertain
phone pick pin ping pinpoint pipe place play plead pledge plug plunge point polish poll ponder pool pop populate
portray possess post postpone pour praise pray precede preclude predict prefer prefix premiere prepare prescribe
preserve preside press presume pretend prevail prevent print prioritise prioritize proceed process procure produce
prohibit prolong promise promote prompt pronounce propagate propel propose prosecute prosper protect prove provide
provoke proxy prune publish pull punish purchase purge purify pursue push put quadruple qualify quantify query queue
quit quote radiate raise range rank ratify reach react read reap reappear reassemble reassign reassure rebalance
rebase rebook reboot rebuild recall recede receive recharge reclaim recognise recognize recommend recompute reconcile
reconfigure record recover recreate recruit recycle redeem redefine redesign redirect redistribute redo reduce refer
refill refine reflect reformat refrain refresh refrigerate refund refuse regain regard register regulate reimburse
reindex reinforce reinstate reject rejoin relate relaunch relax relay release relieve reload relocate rely remain
remedy remember remind remove rename render renegotiate renew renounce rent reopen reorder reorganise repair repay
repeat repel rephrase replace replicate reply report represent reproduce request require rerun resemble resend resent
reserve reset reshape reside resign resist resize resolve resort respect respond restart restate restore restrict
restructure resubmit result resume retain rethink retire retrieve retry return reunite reuse revalidate reveal reverse
revert review revise revive revoke revolve rewrite ride ring rinse rip rise roast roll rotate round route ruin run
rush salvage sample sanction sanitise sanitize satisfy saturate save say scale scan scare scatter schedule score
scrape scratch screw scroll seal search seat secrete secure see seek seem seize select sell send separate serialize
serve set settle shake shape shard share shatter shave shed shift shine ship shoot shorten shout show shrink shrug
shut sign signal silence simmer simplify simulate sing sink sit situate sketch skip sleep slide slow smell smile
smooth snap sniff soak soar soften solder solidify solve soothe sort span spawn speak specialise specialize specify
speed spell spend spill spin split spoil sponsor spread squash squeeze stabilise stabilize staff stage stall stamp
stand star start starve stash state stay steal steer stem step sterilize stimulate stir stop store straighten strain
stream streamline strengthen stress stretch strike strip strive struggle study stumble subclass subdue submit
subscribe subsidise substitute subtract succeed suck sue suffer suffice suggest suit summarise summarize superclass
supersede supervise supply support suppose suppress surge surpass surrender surround survive suspect suspend sustain
swallow swap sweep swell swim swing swipe switch sync synchronise synchronize synthesise synthesize tabulate tag take
talk tap taper target taste teach tear tell tempt tend terminate test text thaw thicken think thrive throttle throw
thrust tie tighten tilt time toggle tokenize tolerate topple toss total touch tow traceroute track trade train
transcend transcribe transfer transform translate transmit travel traverse treat trigger trim triple truncate trust
try tumble tunnel turn twist type typecheck unblock uncover undergo understand underwrite undock unfold unify
uninstall unite unlatch unlink unlock unmute unpack unplug unregister unsubscribe untie unwrap update upgrade uphold
upload urge use utilise utilize vacuum validate vanish vary vent ventilate verify vest vibrate view violate visit
visualise visualize void vote wait waive wake walk wander want warn wash waste watch weaken wear weigh weld whisper
widen wield win wind wipe wire withdraw wonder work worry worsen wrap write yield
"""
BASE = frozenset(_VERB_LIST.split())


def third(verb: str) -> str:
    """The third person of a verb."""
    if verb == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if _SHORT.fullmatch(verb):
        return verb + verb[-1] + "ed"  # stopped, dropped
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "ed"


_SHORT = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")
_DOUBLED_LIST = (
    "committed submitted admitted occurred referred transferred permitted preferred controlled cancelled labelled "
    "travelled equipped planned"
)
_PRETERITE_LIST = (
    "became began broke came chose did drew fell gave went grew knew ran rose saw took threw wrote ate flew drove rode "
    "sang sank shook shrank spoke stole swam tore wore wove woke forgot froze hid arose"
)
_IRREGULAR_LIST = (
    "brought built found held kept left led lost made meant met paid said sent shut sold spent stood told won got had "
    "bought caught fed cost"
)
_LONE_LIST = (
    "opened closed started ended moved died lived happened occurred arrived returned remained served worked increased "
    "decreased expanded merged retired resigned appeared continued stopped failed succeeded peaked collapsed existed "
    "survived stayed belonged consisted lasted emerged declined vanished rested slept stood won lost led"
)
THIRD = frozenset({third(verb) for verb in BASE})
PAST = frozenset(
    {_past(verb) for verb in BASE} | {*_DOUBLED_LIST.split(), *_IRREGULAR_LIST.split(), *_PRETERITE_LIST.split()}
)
PRETERITES = frozenset(_PRETERITE_LIST.split())  # never participles
LONE = frozenset(_LONE_LIST.split())  # past forms that need no object: "it opened in May"
_AUX_LIST = (
    "is are was were am be been has have had do does did can could will would shall should may might must cannot ought "
    "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shan't "
    "shouldn't mightn't mustn't needn't ain't"
)
AUX = frozenset(_AUX_LIST.split()) - {"be", "been"}
_CLITIC_LIST = (
    "it's that's there's here's what's they're you're we're i'm he's she's it'll they'll you'll we'll that'll i'll "
    "i've you've we've they've i'd you'd we'd they'd it'd who's he'd she'd he'll she'll"
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
    "before after against within across inside outside behind beyond like unlike until upon toward towards except near "
    "around above below along throughout despite regarding concerning including beneath amid"
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
