"""A game of Saint Petersburg: the public face of the rules."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nevsky.cards import PILES
from nevsky.errors import NevskyError
from nevsky.printable import is_text
from nevsky.rules.actions import ACTIONS, Action, parse_action
from nevsky.rules.constants import DUES, OVER, TURN
from nevsky.rules.explain import explain
from nevsky.rules.final import Final, Result, final_scoring
from nevsky.rules.moves import Move, Played, play_move
from nevsky.rules.parts import PARTS
from nevsky.rules.position import Position
from nevsky.rules.price import Price
from nevsky.rules.redeal import redeal_position, without_secrets
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank, deal_position, dealt_names, describe, phases, restore
from nevsky.rules.view import View, make_view

__all__ = ["Final", "Game", "Move", "Played", "Result"]


class Game:
    """A game from its deal to its end.

    >>> game = Game(Ruleset("second", players=2), seed=7)
    >>> game.phase, game.legal_actions[0].verb
    ('worker', 'buy')
    >>> game.push(game.legal_actions[0])
    >>> game.history[0].action.verb
    'buy'
    >>> game.undo()
    >>> game.history
    ()
    """

    __slots__ = ("_log", "_position", "_start", "_whole_piles", "auto", "ruleset", "seats", "seed")

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        seed: int | str | None = None,
        *,
        seats: Sequence[str] | None = None,
        auto: bool = False,
    ) -> None:
        """Deal a new game. Without a seed nobody can guess the deal; with ``auto`` forced decisions make themselves."""
        import secrets  # slow to load, and only a new game needs it

        self.ruleset = ruleset if ruleset is not None else Ruleset()
        self.seed = seed_text(seed if seed is not None else secrets.token_hex(16))
        position = blank(self.ruleset)
        youngest = self.ruleset.youngest
        position.new_game(Rng.of(self.seed), -1 if youngest is None else youngest)
        self._begin(position, seats, auto)

    def _begin(self, position: Position, seats: Sequence[str] | None, auto: bool) -> None:
        self.seats = _seat_names(self.ruleset, seats)
        self.auto = auto
        self._start = position
        self._whole_piles: bool = True
        self._restart()

    def _restart(self) -> None:
        self._position = self._start.copy()
        self._log = array("H")  # action ids, doubled, plus one for an automatic one: a copy is one move of memory
        self._play_forced()

    @classmethod
    def from_piles(
        cls,
        ruleset: Ruleset,
        piles: Mapping[str, Sequence[str]],
        tokens: Mapping[str, int],
        *,
        seats: Sequence[str] | None = None,
        auto: bool = False,
        **position: Any,
    ) -> Game:
        """A game from given piles (top first) and tokens.

        Alone they are a complete deal, where modules deal more together with ``assistants``, ``assignments`` and
        ``obstacles`` (tile by space). With more keywords (``round``, ``phase``, ``to_move``, ``passes``, ``rubles``,
        ``points``, ``hands``, ``areas``, ``face_down``, ``row1``, ``row2``, ``discard``, ``out``, ``drawn``, ...) the
        position is arranged as told, ``piles`` being what is left of them.
        """
        game = cls.__new__(cls)
        game.ruleset = ruleset
        game.seed = ""
        arranged = bool(set(position) - {part.dealt for part in PARTS})
        if arranged:
            start = restore(ruleset, {"piles": piles, "tokens": tokens, **position})
            if start.due not in (TURN, OVER) and not start.legal():
                raise NevskyError("position.due", decision=repr(position.get("due")))
        else:
            start = deal_position(ruleset, piles, tokens, position)
        game._begin(start, seats, auto)
        game._whole_piles = not arranged
        return game

    @classmethod
    def from_position(cls, position: Position, ruleset: Ruleset, seats: Sequence[str] | None = None) -> Game:
        """A game that goes on from a position."""
        game = cls.__new__(cls)
        game.ruleset = ruleset
        game.seed = ""
        game._begin(position.copy(), seats, False)
        game._whole_piles = False
        return game

    @property
    def position(self) -> Position:
        """An independent copy of the full position, secrets included: for searches on re-dealt games."""
        return self._position.copy()

    @property
    def looked_at(self) -> Position:
        """The position itself, which spares a copy. It is not to be changed, and changes with the next decision."""
        return self._position

    @property
    def start_position(self) -> Position:
        """An independent copy of the position before the first decision."""
        return self._start.copy()

    @property
    def legal_ids(self) -> tuple[int, ...]:
        """The ids of the legal actions."""
        return tuple(self._position.legal())

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """What may be said at the decision that is due; empty when the game is over."""
        return tuple(ACTIONS[number] for number in self._position.legal())

    @property
    def legal_mask(self) -> bytes:
        """One byte for each action id: 1 where it is legal."""
        mask = bytearray(len(ACTIONS))
        for number in self._position.legal():
            mask[number] = 1
        return bytes(mask)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._position.over

    @property
    def to_move(self) -> int | None:
        """The seat whose decision is due."""
        return None if self.over else self._position.seat

    @property
    def due(self) -> str | None:
        """The kind of decision: ``turn``, ``drawn``, ``pub`` ... or None when the game is over."""
        return None if self.over else DUES[self._position.due]

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self._position.round

    @property
    def phase(self) -> str:
        """The phase: worker, market, building, noble or exchange."""
        return PILES[self._position.phase]

    def push(self, action: Action | int | str) -> None:
        """Make a decision, given as an action, its id or its text. What is not legal raises and changes nothing."""
        number = action_id(action)
        self._position.play(number)
        self._log.append(2 * number)
        self._play_forced()

    def push_auto(self, action: Action | int | str) -> None:
        """Make a decision that leaves no choice and mark it as automatic (D1)."""
        number = action_id(action)
        if not self.over and self._position.forced() != number:
            raise NevskyError("action.not_forced", action=repr(ACTIONS[number].text))
        self._position.play(number)
        self._log.append(2 * number + 1)

    def _play_forced(self) -> None:
        while self.auto:
            number = self._position.forced()
            if number < 0:
                return
            self._position.play(number)
            self._log.append(2 * number + 1)

    def play(self, action: Action | int | str) -> list[Played]:
        """Make a decision as `push` does, and return it with the positions around it, and the forced ones after it."""
        number = action_id(action)
        played = [self._follow(number, False)]
        while self.auto and (number := self._position.forced()) >= 0:
            played.append(self._follow(number, True))
        return played

    def _follow(self, number: int, auto: bool) -> Played:
        played = play_move(self._position, len(self._log) + 1, number, auto)
        self._position = played.after.copy()
        self._log.append(2 * number + auto)
        return played

    def undo(self) -> None:
        """Take back the last decision, and with it the forced ones that followed."""
        keep = len(self._log)
        while keep and self._log[keep - 1] & 1:
            keep -= 1
        if keep == 0:
            raise NevskyError("game.nothing_to_undo")
        kept = self._log[: keep - 1]
        position = self._start.copy()
        for code in kept:
            position.play(code >> 1)
        self._position, self._log = position, kept

    def copy(self) -> Game:
        """An independent game at the same point."""
        game = Game.__new__(Game)
        game.ruleset = self.ruleset
        game.seed = self.seed
        game.seats = self.seats
        game.auto = self.auto
        game._start = self._start  # never changed, so it can be shared
        game._whole_piles = self._whole_piles
        game._position = self._position.copy()
        game._log = self._log[:]
        return game

    @property
    def made(self) -> int:
        """How many decisions have been made so far, forced ones included."""
        return len(self._log)

    @property
    def moves(self) -> tuple[tuple[Action, bool], ...]:
        """All actions so far, each with whether it was made automatically."""
        return tuple((ACTIONS[code >> 1], bool(code & 1)) for code in self._log)

    @property
    def history(self) -> tuple[Move, ...]:
        """All decisions so far with seat, phase and price."""
        return tuple(move for move, _ in self.replay())

    def replay(self) -> Iterator[tuple[Move, Position]]:
        """Walk through the game: each move with the position after it."""
        for played in self.played():
            yield played.move, played.after.copy()

    def walk(self, moves: int) -> Iterator[Position]:
        """The positions after the first moves, one after the other: a single one that goes on, so do not keep it."""
        position = self._start.copy()
        for code in self._log[:moves]:
            position.play(code >> 1)
            yield position

    def played(self, since: int = 0, position: Position | None = None) -> Iterator[Played]:
        """The moves after so many, with the positions around them; a known position there saves the way to it."""
        if position is None:
            position = self._start.copy()
            for code in self._log[:since]:
                position.play(code >> 1)
        for number, code in enumerate(self._log[since:], since + 1):
            played = play_move(position, number, code >> 1, bool(code & 1))
            position = played.after
            yield played

    def view(self, seat: int | None = None, *, memory: bool = False) -> View:
        """Everything the seat may know, or a spectator with None, and nothing else (section 12).

        With ``memory`` also what somebody knows who has added up every payment and every income since the start,
        all of which everybody saw: the rubles of the others.
        """
        if seat is not None and (
            isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.ruleset.players
        ):
            raise NevskyError("seat.range", seat=repr(seat), last=self.ruleset.players - 1)
        if memory and not self.ruleset.open_rubles:
            shown = make_view(self._position, self.ruleset._replace(open_rubles=True), seat)
            return shown._replace(ruleset=self.ruleset)
        return make_view(self._position, self.ruleset, seat)

    def without_secrets(self, seat: int | None = None) -> Position:
        """A position with the same view for this seat, in which what it may not know is dealt anew."""
        return without_secrets(self._position, self.ruleset, seat)

    def explain(self, action: Action | int | str) -> Price | None:
        """The price of an action for the seat to move, with every reduction in it; None if it lays no card.

        >>> game = Game(Ruleset("second", players=2), seed=7)
        >>> game.explain("buy lumberjack").text
        'lumberjack 3 = 3'
        """
        return explain(self._position, self._position.seat, ACTIONS[action_id(action)])

    @property
    def result(self) -> Result | None:
        """The final scoring, None while the game goes on."""
        if not self.over:
            return None
        return final_scoring(self._position)

    @property
    def piles(self) -> dict[str, list[str]]:
        """The piles as they were dealt, top first, before the first workers were laid out."""
        start = describe(self._start)
        laid = start["row1"] if self._whole_piles else []
        return {
            name: [text.partition("@")[0] for text in (laid if name == "worker" else []) + cards]
            for name, cards in start["piles"].items()
        }

    @property
    def tokens(self) -> dict[str, int]:
        """Who held which start-player token at the start."""
        return {name: self._start.token[PILES.index(name)] for name in phases(self.ruleset)}

    @property
    def deal(self) -> dict[str, Any]:
        """What the modules dealt at the start: assistants, assignments and obstacles."""
        if not self._whole_piles:
            return {}
        start = describe(self._start)
        dealt = dealt_names(self.ruleset)
        return {part.dealt: part.deal_data(start[part.dealt]) for part in PARTS if part.dealt in dealt}

    @property
    def arranged(self) -> dict[str, Any] | None:
        """The arranged start position as plain data, None for a game that was dealt."""
        return None if self._whole_piles else describe(self._start)

    def state(self) -> dict[str, Any]:
        """The full position as plain data, secrets included."""
        return describe(self._position)


def action_id(action: Action | int | str) -> int:
    """The id of an action given in any of its three forms."""
    if isinstance(action, Action):
        return action.id
    if isinstance(action, str):
        return parse_action(action).id
    if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < len(ACTIONS):
        raise NevskyError("action.no_id", action=repr(action), last=len(ACTIONS) - 1)
    return action


def redeal(view: View, seed: int | str, rubles: Mapping[int, int] | None = None) -> Game:
    """A full game that agrees with the view; what the seat cannot know comes from this seed's own random stream.

    Rubles that the table keeps secret are taken from ``rubles`` (seat to rubles, as the caller remembers them)
    or guessed.

    >>> game = Game(seed=7)
    >>> redeal(game.view(2), seed=1).view(2) == game.view(2)
    True
    """
    return Game.from_position(redeal_position(view, Rng.of("redeal", seed), rubles), view.ruleset)


def seed_text(seed: int | str) -> str:
    """A seed as it stands in records, which are text."""
    text = str(seed)
    if not is_text(text):
        raise NevskyError("game.seed_text", seed=repr(text))
    return text


def _seat_names(ruleset: Ruleset, seats: Sequence[str] | None) -> tuple[str, ...]:
    if seats is None:
        return tuple(f"Player {seat + 1}" for seat in range(ruleset.players))
    names = tuple(seats)
    if isinstance(seats, str) or len(names) != ruleset.players:
        raise NevskyError("game.names", players=ruleset.players)
    for name in names:
        if not isinstance(name, str) or not 0 < len(name.strip()) <= 40:
            raise NevskyError("game.name_length")
    return names
