"""The deal as OpenSpiel's chance makes it: outcome by outcome, each with its probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations, product
from typing import Any, Final, NamedTuple, Protocol

from nevsky.cards import CARDS, PILES
from nevsky.rules.constants import MARKET, PILE_ROOM, WORKER
from nevsky.rules.modules import ASSIGNMENTS, ASSISTANTS, OBSTACLES
from nevsky.rules.modules.assignments.room import PER_SEAT, in_box
from nevsky.rules.modules.assistants.room import ARCHITECT, MASTER_CRAFTSMAN, MISTRESS_OF_THE_MANOR
from nevsky.rules.modules.assistants.room import ASSISTANTS as NAMES
from nevsky.rules.modules.obstacles.room import FIRST_REAL, SPACES, STANDARD_REAL, TILES
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank, deal_position, dealt_names, phases
from nevsky.rules.tables import tables_for

__all__ = [
    "BoxDeal", "Deal", "Outcomes", "begin", "chances", "even", "from_pile", "most_outcomes", "plan", "receiver", "words"
]  # fmt: skip

Outcomes = list[tuple[int, float]]

_TOKENS: Final = "tokens"
_ASSISTANTS: Final = "assistants"
_ASSIGNMENT: Final = "assignment"
_OBSTACLE: Final = "obstacle"
_CARD: Final = "card"


@cache
def plan(ruleset: Ruleset) -> tuple[str, ...]:
    """What is dealt before the first decision, in order; the last are the first workers (2.5)."""
    n = ruleset.players
    return (
        (_TOKENS,)
        + (_ASSISTANTS,) * ASSISTANTS.in_play(ruleset)
        + (_ASSIGNMENT,) * (PER_SEAT * n if ASSIGNMENTS.in_play(ruleset) else 0)
        + (_OBSTACLE,) * (len(SPACES) if OBSTACLES.in_play(ruleset) else 0)
        + (_CARD,) * (2 * n)
    )


def even(numbers: Sequence[int]) -> Outcomes:
    """Outcomes that are equally likely."""
    return [(number, 1 / len(numbers)) for number in numbers]


def from_pile(counts: Mapping[int, int]) -> Outcomes:
    """The top card of a shuffled pile with so many cards of each kind."""
    size = sum(counts.values())
    return [(kind, count / size) for kind, count in counts.items() if count]


class Deal(Protocol):
    """Whatever chance makes before the first decision."""

    @property
    def ruleset(self) -> Ruleset:
        """Which game is played."""

    @property
    def length(self) -> int:
        """How many outcomes make a deal."""

    def chances(self, dealt: Sequence[int]) -> Outcomes:
        """What may be dealt next, and how likely."""

    def words(self, dealt: Sequence[int], number: int) -> str:
        """An outcome as people write it."""

    def receiver(self, dealt: Sequence[int]) -> int | None:
        """The only seat that sees what is dealt next; None for everybody."""

    def told(self, dealt: Sequence[int]) -> str:
        """What the others are told of it."""

    def secret_card(self, at: int, /) -> bool:
        """Whether an outcome of the deal, by its place, is a card that only one seat sees."""

    def begin(self, dealt: Sequence[int]) -> Position:
        """The position after the deal. The order of its piles means nothing: cards are drawn when turned up."""


class BoxDeal(NamedTuple):
    """The deal of a whole box, as the rules make it (section 2)."""

    ruleset: Ruleset

    @property
    def length(self) -> int:
        """How many outcomes make a deal."""
        return len(plan(self.ruleset))

    def chances(self, dealt: Sequence[int]) -> Outcomes:
        """What may be dealt next, and how likely."""
        return chances(self.ruleset, dealt)

    def words(self, dealt: Sequence[int], number: int) -> str:
        """An outcome as people write it."""
        return words(self.ruleset, dealt, number)

    def receiver(self, dealt: Sequence[int]) -> int | None:
        """The only seat that sees what is dealt next; None for everybody."""
        return receiver(self.ruleset, dealt)

    def told(self, dealt: Sequence[int]) -> str:
        """What the others are told of an assignment."""
        return f"assignment to {receiver(self.ruleset, dealt)}"

    def secret_card(self, _: int) -> bool:
        """No card is dealt in secret."""
        return False

    def begin(self, dealt: Sequence[int]) -> Position:
        """The position after the deal."""
        return begin(self.ruleset, dealt)


def chances(ruleset: Ruleset, dealt: Sequence[int]) -> Outcomes:
    """What may be dealt next, and how likely."""
    what = plan(ruleset)[len(dealt)]
    if what == _TOKENS:
        return even(range(len(_token_deals(ruleset))))
    if what == _ASSISTANTS:
        return even(range(len(_assistant_deals(ruleset, dealt))))
    own = _dealt(ruleset, dealt, what)
    if what == _ASSIGNMENT:
        return even(sorted(in_box(ruleset.players) - set(own)))
    if what == _OBSTACLE:
        return _tiles(ruleset, own)
    counts = Counter(_deck(ruleset, WORKER))
    counts.subtract(own)
    return from_pile(counts)


def words(ruleset: Ruleset, dealt: Sequence[int], number: int) -> str:
    """An outcome of the deal as people write it."""
    what = plan(ruleset)[len(dealt)]
    if what == _TOKENS:
        return "tokens " + " ".join(map(str, _token_deals(ruleset)[number]))
    if what == _ASSISTANTS:
        given = _assistant_deals(ruleset, dealt)[number]
        return "assistants " + " ".join(f"{name}:{seat}" for name, seat in given.items())
    if what == _ASSIGNMENT:
        return f"assignment {number} to {receiver(ruleset, dealt)}"
    if what == _OBSTACLE:
        return f"obstacle {TILES[number]} at {SPACES[len(_dealt(ruleset, dealt, what))]}"
    return f"+{CARDS[number].exact}"


def receiver(ruleset: Ruleset, dealt: Sequence[int]) -> int | None:
    """The only seat that sees what is dealt next; None for everybody."""
    what = plan(ruleset)[len(dealt)]
    return len(_dealt(ruleset, dealt, what)) // PER_SEAT if what == _ASSIGNMENT else None


def begin(ruleset: Ruleset, dealt: Sequence[int]) -> Position:
    """The position after the deal. The order of its piles means nothing: cards are drawn when they are turned up."""
    workers = _dealt(ruleset, dealt, _CARD)
    if not dealt_names(ruleset):
        position = _undealt(ruleset, dealt[0]).copy()
        position.put_on_top(WORKER, workers)
        position.begin()
        return position
    piles: dict[str, list[str]] = {}
    for name in phases(ruleset):
        rest = Counter(_deck(ruleset, PILES.index(name)))
        top: list[int] = workers if name == PILES[WORKER] else []
        rest.subtract(top)
        piles[name] = [CARDS[kind].exact for kind in [*top, *rest.elements()]]
    extras: dict[str, Any] = {}
    if ASSISTANTS.in_play(ruleset):
        extras["assistants"] = _assistant_deals(ruleset, dealt)[_dealt(ruleset, dealt, _ASSISTANTS)[0]]
    if ASSIGNMENTS.in_play(ruleset):
        numbers = _dealt(ruleset, dealt, _ASSIGNMENT)
        extras["assignments"] = [
            numbers[PER_SEAT * seat : PER_SEAT * seat + PER_SEAT] for seat in range(ruleset.players)
        ]
    if OBSTACLES.in_play(ruleset):
        tiles = _dealt(ruleset, dealt, _OBSTACLE)
        extras["obstacles"] = {str(at): TILES[tile] for at, tile in zip(SPACES, tiles, strict=True)}
    tokens = dict(zip(phases(ruleset), _token_deals(ruleset)[dealt[0]], strict=True))
    return deal_position(ruleset, piles, tokens, extras)


@cache
def _undealt(ruleset: Ruleset, tokens: int) -> Position:
    """Tokens and piles of a game in which no module deals anything, before the first workers are laid out."""
    position = blank(ruleset)
    t = position.t
    position.pile, position.pile_n = t.deck, t.deck_size
    token = position.token
    for phase, seat in zip(phases(ruleset), _token_deals(ruleset)[tokens], strict=True):
        token[PILES.index(phase)] = seat
    position.token = token
    return position


def most_outcomes(ruleset: Ruleset) -> int:
    """No outcome of chance has this number or a higher one."""
    return max(len(CARDS), len(_token_deals(ruleset)))


def _dealt(ruleset: Ruleset, dealt: Sequence[int], what: str) -> list[int]:
    return [number for number, name in zip(dealt, plan(ruleset), strict=False) if name == what]


def _deck(ruleset: Ruleset, pile: int) -> list[int]:
    t = tables_for(ruleset)
    return t.deck[pile * PILE_ROOM : pile * PILE_ROOM + t.deck_size[pile]]


@cache
def _token_deals(ruleset: Ruleset) -> tuple[tuple[int, ...], ...]:
    """All ways to hand out the tokens, which are equally likely: as evenly as can be (2.3)."""
    n, tokens = ruleset.players, len(phases(ruleset))
    least, most = tokens // n, -(-tokens // n)
    deals = [
        deal for deal in product(range(n), repeat=tokens) if all(least <= deal.count(seat) <= most for seat in range(n))
    ]
    if n == 3 and not ruleset.market and ruleset.youngest is not None:
        deals = [deal for deal in deals if deal.count(ruleset.youngest) == most]
    return tuple(deals)


def _assistant_deals(ruleset: Ruleset, dealt: Sequence[int]) -> list[dict[str, int]]:
    """All ways to deal the assistants to these tokens (11.3 b), equally likely too."""
    n = ruleset.players
    tokens = _token_deals(ruleset)[dealt[0]]
    fixed: dict[str, int] = {}
    if n >= 4:
        fixed[NAMES[MISTRESS_OF_THE_MANOR]] = (tokens[MARKET] - 1) % n
    if n == 5:
        fixed[NAMES[MASTER_CRAFTSMAN]] = (tokens[WORKER] - 1) % n
    free = [seat for seat in range(n) if seat not in fixed.values()]
    return [{**fixed, **dict(zip(NAMES[ARCHITECT:], seats, strict=False))} for seats in permutations(free)]


def _tiles(ruleset: Ruleset, laid: Sequence[int]) -> Outcomes:
    """The tile for the next space: a real obstacle or a bonus, then any of them that is left (11.6 a)."""
    space = len(laid)
    if ruleset.real_obstacles is None:
        real = float(space in STANDARD_REAL)
    else:
        real = (ruleset.real_obstacles - sum(tile >= FIRST_REAL for tile in laid)) / (5 - space)
    left = [tile for tile in range(len(TILES)) if tile not in laid]
    found: Outcomes = []
    for tiles, share in (([t for t in left if t < FIRST_REAL], 1 - real), ([t for t in left if t >= FIRST_REAL], real)):
        if share > 0:
            found += [(tile, share / len(tiles)) for tile in tiles]
    return found
