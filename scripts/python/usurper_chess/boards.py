# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of the two editions of Capture or Conquer.

:class:`ConquestBoard` holds what they share: Kings are captured, not mated, a King that reaches its goal
rank may win, a third repetition decides the game, a side without a move loses, nothing is drawn. The
subclasses add what differs. In doubt the page ``protocol.md`` of the engine decides.

Invariants: a position on the board that has not ended has only legal pseudo-legal moves; castling rights
and en passant square of a FEN are dropped where the board does not bear them out; :meth:`push` changes
nothing that :meth:`pop` does not restore.
"""

import copy
import enum
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

import chess
from chess import (
    BB_ALL,
    BB_EMPTY,
    BB_KING_ATTACKS,
    BB_RANK_1,
    BB_RANK_2,
    BB_RANK_3,
    BB_RANK_4,
    BB_RANK_5,
    BB_RANK_6,
    BB_RANK_7,
    BB_RANK_8,
    BB_SQUARES,
    KING,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Bitboard,
    Color,
    Move,
    Square,
)

#: A piece's way over the board: from, to.
Leg = tuple[Square, Square]


class Reason(enum.StrEnum):
    """Why a game is over."""

    CAPTURE = "capture"
    """A King was captured."""
    CONQUEST = "conquest"
    """A King holds its goal rank."""
    REPETITION = "repetition"
    """A position stood for the third time."""
    NO_MOVES = "no-moves"
    """The side to move has no move."""


class Ending(NamedTuple):
    """The end of a game: every game has a winner."""

    winner: Color
    reason: Reason


class _Escort(NamedTuple):
    """An Escort: where the supporter stands, where it arrives beside the King, where the King lands."""

    supporter: Square
    beside: Square
    landing: Square


# By colour: chess.BLACK is 0, chess.WHITE 1.
_GOAL_RANK = (BB_RANK_1, BB_RANK_8)
_DECOY_RANKS = (
    BB_RANK_2 | BB_RANK_3 | BB_RANK_4 | BB_RANK_5,
    BB_RANK_4 | BB_RANK_5 | BB_RANK_6 | BB_RANK_7,
)

_NULL_MOVES = ("--", "Z0", "0000", "@@@@")
_CASTLING = re.compile(r"[Oo]-[Oo](?P<long>-[Oo])?|0-0(?P<zero>-0)?")
_COORDINATES = re.compile(r"(?:[a-h][1-8]){2}[qrbnkQRBNK]?")
_ESCORT = re.compile(r"E(?P<piece>[QRB])(?P<square>[a-h][1-8])")
_DECOY = re.compile(r"D(?P<square>[a-h][1-8])")
_PIECE = re.compile(
    r"(?P<piece>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<capture>[x:])?-?"
    r"(?P<to>[a-h][1-8])(?:=?(?P<promotion>[KQRBNkqrbn]))?"
)
_CASTLING_FIELD = re.compile(r"-|(?!.*(.).*\1)[KQkq]+")
_NUMBER = re.compile(r"[0-9]+")


class ConquestBoard(chess.Board):
    """What the two editions have in common; use one of the subclasses.

    A King may be left attacked, so :meth:`is_check` says only that it is, and every pseudo-legal move of
    a game that goes on is legal. :meth:`ending` tells winner and reason; :meth:`outcome` and its kin say
    the same in python-chess's terms. Like every ``push`` of python-chess, this one trusts its caller: the
    end of a game is looked for where the board stands, not in the moves that led there.
    """

    tbw_suffix = None
    tbz_suffix = None
    tbw_magic = None
    tbz_magic = None
    connected_kings = True

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = False) -> None:
        """Sets up *fen*; by default, the start position.

        :raises: :exc:`ValueError` if *fen* cannot be read, or for *chess960*, which no edition has.
        """
        if chess960:
            raise ValueError("Capture or Conquer has no Chess960 form")
        super().__init__(type(self).starting_fen if fen == chess.STARTING_FEN else fen)

    # The end of a game.

    def ending(self) -> Ending | None:
        """The end of the game, ``None`` while it goes on.

        Looked for in this order: a King captured; a King on its goal rank; a position that stands for the
        third time, counted over the move stack; a side to move without a move.
        """
        ending = self._ending_with_moves()
        if ending is None and not any(self.generate_pseudo_legal_moves()):
            return Ending(not self.turn, Reason.NO_MOVES)
        return ending

    def _ending_with_moves(self) -> Ending | None:
        """The end of a game whose side to move would still have moves, were it not over."""
        for color in chess.COLORS:
            if self.king(color) is None:
                return Ending(not color, Reason.CAPTURE)
        conqueror = self._conqueror()
        if conqueror is not None:
            return Ending(conqueror, Reason.CONQUEST)
        if self.is_repetition():
            return Ending(self._winner_by_repetition(), Reason.REPETITION)
        return None

    def _conqueror(self) -> Color | None:
        """Who has won by conquest. Both Kings are on the board."""
        raise NotImplementedError

    def _winner_by_repetition(self) -> Color:
        """Who wins as the last move has made a position stand for the third time: here, who suffered it."""
        return self.turn

    def _is_at_goal(self, color: Color) -> bool:
        return bool(self.pieces_mask(KING, color) & _GOAL_RANK[color])

    def _holds_goal(self, color: Color) -> bool:
        """Whether the King of *color* stands on its goal rank and is not attacked."""
        king = self.king(color)
        return king is not None and self._is_at_goal(color) and not self.is_attacked_by(not color, king)

    def repetitions(self) -> int:
        """How often the position has stood, this time included, as far as the move stack reaches.

        A position is the placement of the pieces and the side to move, and nothing else.
        """
        return 1 + sum(
            state.occupied == self.occupied
            and state.turn == self.turn
            and state.occupied_w == self.occupied_co[WHITE]
            and state.pawns == self.pawns
            and state.knights == self.knights
            and state.bishops == self.bishops
            and state.rooks == self.rooks
            and state.queens == self.queens
            for state in self._stack
        )

    def is_repetition(self, count: int = 3) -> bool:
        return self.repetitions() >= count

    def is_variant_end(self) -> bool:
        """Whether the game is over, though the board would offer moves."""
        return self._ending_with_moves() is not None

    def is_variant_win(self) -> bool:
        ending = self.ending()
        return ending is not None and ending.winner == self.turn

    def is_variant_loss(self) -> bool:
        ending = self.ending()
        return ending is not None and ending.winner != self.turn

    def is_variant_draw(self) -> bool:
        """False: no game is drawn."""
        return False

    def outcome(self, *, claim_draw: bool = False) -> chess.Outcome | None:
        """The winner; the termination is ``VARIANT_WIN`` or ``VARIANT_LOSS`` of the side to move.

        *claim_draw* has no effect: there are no draws.
        """
        ending = self.ending()
        if ending is None:
            return None
        won = ending.winner == self.turn
        termination = chess.Termination.VARIANT_WIN if won else chess.Termination.VARIANT_LOSS
        return chess.Outcome(termination, ending.winner)

    def is_checkmate(self) -> bool:
        """False: Kings are captured."""
        return False

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move, and so has lost."""
        ending = self.ending()
        return ending is not None and ending.reason is Reason.NO_MOVES

    def has_insufficient_material(self, color: Color) -> bool:
        """False: a bare King can capture and conquer."""
        return False

    def can_claim_threefold_repetition(self) -> bool:
        """False: a repetition decides the game, nobody claims it."""
        return False

    def _is_halfmoves(self, n: int) -> bool:
        return False

    # Moves.

    def generate_pseudo_legal_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        for move in super().generate_pseudo_legal_moves(from_mask, to_mask):
            if move.promotion is None or move.promotion == QUEEN:
                yield move

    def is_pseudo_legal(self, move: Move) -> bool:
        if move.promotion is not None and move.promotion != QUEEN:
            return False
        if BB_SQUARES[move.to_square] & self.occupied_co[self.turn]:
            return False  # nor is the King onto its own Rook castling
        return super().is_pseudo_legal(move)

    def generate_legal_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        if not self.is_variant_end():
            yield from self.generate_pseudo_legal_moves(from_mask, to_mask)

    def is_into_check(self, move: Move) -> bool:
        """False: nothing is illegal because a King stands attacked."""
        return False

    def pin_mask(self, color: Color, square: Square) -> Bitboard:
        return BB_ALL

    def has_legal_en_passant(self) -> bool:
        """Whether a pawn could capture en passant, by the board alone: a finished game keeps the square."""
        return self.has_pseudo_legal_en_passant()

    def is_irreversible(self, move: Move) -> bool:
        """Whether no position of before the pseudo-legal *move* can come again, as far as it shows."""
        return self.is_zeroing(move)

    def legs(self, move: Move) -> list[Leg]:
        """What goes where by the pseudo-legal *move*, the piece that names the move first."""
        return [(move.from_square, move.to_square)]

    # Notation.

    def parse_uci(self, uci: str) -> Move:
        """Reads coordinates. A pawn on the last rank becomes a Queen, said or not, in either case.

        :raises: :exc:`chess.InvalidMoveError`, :exc:`chess.IllegalMoveError`
        """
        move = Move.from_uci(uci[:4] + uci[4:].lower())
        if not move:
            return move
        if move.promotion is None and self._is_promotion(move):
            move.promotion = QUEEN
        if not self.is_legal(move):
            raise chess.IllegalMoveError(f"illegal uci: {uci!r} in {self.fen()}")
        return move

    def _is_promotion(self, move: Move) -> bool:
        at_end = BB_SQUARES[move.to_square] & chess.BB_BACKRANKS
        return bool(at_end and self.pawns & BB_SQUARES[move.from_square])

    def parse_san(self, san: str) -> Move:
        """Reads what the engine reads: standard algebraic notation, the site's forms, coordinates.

        Any of ``+ # ! ?`` at the end is ignored, needless origins are allowed, an ``x`` must be true.

        :raises: :exc:`chess.InvalidMoveError`, :exc:`chess.IllegalMoveError`,
            :exc:`chess.AmbiguousMoveError`
        """
        if san in _NULL_MOVES:
            return Move.null()
        text = san.rstrip("+#!?")
        if _COORDINATES.fullmatch(text):
            return self.parse_uci(text)
        moves = self._moves_by_san(text)
        if moves is None:
            raise chess.InvalidMoveError(f"invalid san: {san!r}")
        found = list(itertools.islice(moves, 2))
        if not found:
            raise chess.IllegalMoveError(f"illegal san: {san!r} in {self.fen()}")
        if len(found) > 1:
            raise chess.AmbiguousMoveError(f"ambiguous san: {san!r} in {self.fen()}")
        return found[0]

    def _moves_by_san(self, text: str) -> Iterator[Move] | None:
        """The legal moves that fit a text, ``None`` if it is no move."""
        if castling := _CASTLING.fullmatch(text):
            return self._moves_like_castling(long=bool(castling["long"] or castling["zero"]))
        if match := _PIECE.fullmatch(text):
            return self._piece_moves(match)
        return None

    def _moves_like_castling(self, *, long: bool) -> Iterator[Move]:
        side = self.is_queenside_castling if long else self.is_kingside_castling
        return filter(side, self.generate_legal_moves(self.kings))

    def _piece_moves(self, match: re.Match[str]) -> Iterator[Move]:
        piece_type = chess.PIECE_SYMBOLS.index((match["piece"] or "p").lower())
        from_mask = self.pieces_mask(piece_type, self.turn)
        if match["file"]:
            from_mask &= chess.BB_FILES[chess.FILE_NAMES.index(match["file"])]
        if match["rank"]:
            from_mask &= chess.BB_RANKS[chess.RANK_NAMES.index(match["rank"])]
        to_mask = BB_SQUARES[chess.parse_square(match["to"])]
        for move in self.generate_legal_moves(from_mask, to_mask):
            capture = self.is_capture(move)
            if match["capture"] and not capture:
                continue
            if capture and piece_type == PAWN and not match["file"]:
                continue  # else "e5" could be "dxe5"
            if match["promotion"] and not (move.promotion and match["promotion"] in "Qq"):
                continue
            if len(self.legs(move)) == 1:  # the other moves have names of their own
                yield move

    def _algebraic(self, move: Move, *, long: bool = False) -> str:
        return self._algebraic_without_suffix(move, long=long)  # there is no + and no #

    def _algebraic_and_push(self, move: Move, *, long: bool = False) -> str:
        san = self._algebraic(move, long=long)
        self.push(move)
        return san

    # Positions as text.

    def set_fen(self, fen: str) -> None:
        """Reads a FEN of four to six fields, or XBoard's, which leaves out the castling field.

        Castling rights and an en passant square that the board does not bear out are dropped.

        :raises: :exc:`ValueError` if it cannot be read; the board then stays as it is. What can be read
            and still is no position, :meth:`status` tells.
        """
        fields = fen.split()
        if len(fields) > 3 and _NUMBER.fullmatch(fields[3]):
            fields.insert(2, "-")
        if not 4 <= len(fields) <= 6:
            raise ValueError(f"expected 4 to 6 fields: {fen!r}")
        if not _CASTLING_FIELD.fullmatch(fields[2]):
            raise ValueError(f"invalid castling part in fen: {fen!r}")
        fields[2] = "".join(sorted(fields[2]))
        for counter in fields[4:]:
            if not _NUMBER.fullmatch(counter):
                raise ValueError(f"invalid counter {counter!r} in fen: {fen!r}")
        super().set_fen(" ".join(fields))
        self.castling_rights = self.clean_castling_rights()
        self.ep_square = self._valid_ep_square()

    def status(self) -> chess.Status:
        """What is wrong with the position, :data:`chess.STATUS_VALID` if nothing.

        Any number of pieces is right, and a missing King only says that its side has lost. Wrong are: no
        King at all, two of one colour, pawns on the first or last rank, castling rights or an en passant
        square that the board does not bear out.
        """
        status = super().status() & (
            chess.STATUS_EMPTY
            | chess.STATUS_PAWNS_ON_BACKRANK
            | chess.STATUS_BAD_CASTLING_RIGHTS
            | chess.STATUS_INVALID_EP_SQUARE
        )
        if not self.kings:
            status |= chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING
        if any(chess.popcount(self.pieces_mask(KING, color)) > 1 for color in chess.COLORS):
            status |= chess.STATUS_TOO_MANY_KINGS
        return status


class CaptureOrConquerBoard(ConquestBoard):
    """Today's edition: Escort, Decoy, ultimatum, pardon for a forced repetition.

    An Escort is the King's move of two squares (``e1g1``, ``e1e3``, ``d4b6``), a Decoy the King's move onto
    its own pawn (``e4e5``); in SAN they are ``ERf1`` and ``De5``. ``O-O`` and ``O-O-O`` are read as the
    Rook's Escort along the own first rank that looks like castling, and never written.
    """

    aliases = ["captureorconquer", "Capture or Conquer"]
    uci_variant = "captureorconquer"
    xboard_variant = "captureorconquer"
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

    def reset(self) -> None:
        super().reset()
        self.castling_rights = BB_EMPTY

    # The end of a game.

    def _conqueror(self) -> Color | None:
        if self._is_at_goal(self.turn):
            return self.turn  # the enemy's one move has not captured it
        return not self.turn if self._holds_goal(not self.turn) else None

    def _winner_by_repetition(self) -> Color:
        before = self.copy(stack=1)
        before.pop()
        forced = before.is_check() or before.pseudo_legal_moves.count() == 1
        return before.turn if forced else self.turn

    # Moves.

    def _escorts(self) -> Iterator[_Escort]:
        king = self.king(self.turn)
        if king is None:
            return
        # Who guards the King along a line is the first piece met there, and can slide back to the King.
        sliders = self.queens | self.rooks | self.bishops
        supporters = self.attackers_mask(self.turn, king) & sliders & ~BB_KING_ATTACKS[king]
        for supporter in chess.scan_reversed(supporters):
            beside = chess.msb(chess.between(king, supporter) & BB_KING_ATTACKS[king])
            yield _Escort(supporter, beside, 2 * beside - king)

    def _escort(self, move: Move) -> _Escort | None:
        if not self.is_escort(move):
            return None
        return next((e for e in self._escorts() if e.landing == move.to_square), None)

    def _generate_escorts_and_decoys(self, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
        king = self.king(self.turn)
        if king is None or not BB_SQUARES[king] & from_mask:
            return
        for escort in self._escorts():
            if BB_SQUARES[escort.landing] & to_mask:
                yield Move(king, escort.landing)
        decoys = self.pieces_mask(PAWN, self.turn) & _DECOY_RANKS[self.turn]
        for pawn in chess.scan_reversed(decoys & BB_KING_ATTACKS[king] & to_mask):
            yield Move(king, pawn)

    def generate_pseudo_legal_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        yield from super().generate_pseudo_legal_moves(from_mask, to_mask)
        yield from self._generate_escorts_and_decoys(from_mask, to_mask)

    def is_pseudo_legal(self, move: Move) -> bool:
        return super().is_pseudo_legal(move) or move in self._generate_escorts_and_decoys(
            BB_SQUARES[move.from_square], BB_SQUARES[move.to_square]
        )

    def is_escort(self, move: Move) -> bool:
        """Whether the pseudo-legal *move* is an Escort: nothing else moves a King by two squares."""
        king = self.pieces_mask(KING, self.turn) & BB_SQUARES[move.from_square]
        return bool(king) and chess.square_distance(move.from_square, move.to_square) == 2

    def is_decoy(self, move: Move) -> bool:
        """Whether the pseudo-legal *move* is a Decoy: the King goes onto an own pawn."""
        king = self.pieces_mask(KING, self.turn) & BB_SQUARES[move.from_square]
        return bool(king and self.pieces_mask(PAWN, self.turn) & BB_SQUARES[move.to_square])

    def legs(self, move: Move) -> list[Leg]:
        """What goes where: the King, then an Escort's supporter or a Decoy's pawn."""
        legs = super().legs(move)
        if escort := self._escort(move):
            legs.append((escort.supporter, escort.beside))
        elif self.is_decoy(move):
            legs.append((move.to_square, move.from_square))
        return legs

    def push(self, move: Move) -> None:
        legs = self.legs(move)
        if len(legs) == 1:
            super().push(move)
            return
        # A null move keeps the books as these two moves do: stack, counters, side, en passant.
        color = self.turn
        super().push(Move.null())
        self.move_stack[-1] = copy.copy(move)
        lifted = []
        for from_square, to_square in legs:
            promoted = bool(self.promoted & BB_SQUARES[from_square])
            lifted.append((to_square, self._remove_piece_at(from_square), promoted))
        for to_square, piece_type, promoted in lifted:
            assert piece_type is not None, "legs() starts from pieces"
            self._set_piece_at(to_square, piece_type, color, promoted)

    def is_zeroing(self, move: Move) -> bool:
        """Whether *move* resets the halfmove clock: captures and pawns' own moves, but no Decoy."""
        return not self.is_decoy(move) and super().is_zeroing(move)

    def is_irreversible(self, move: Move) -> bool:
        """True for captures and promotions: a pawn's step can be taken back by a Decoy."""
        return self.is_capture(move) or move.promotion is not None

    # No castling, and no other reading of a King's move.

    def clean_castling_rights(self) -> Bitboard:
        return BB_EMPTY

    def generate_castling_moves(
        self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
    ) -> Iterator[Move]:
        return iter(())

    def is_castling(self, move: Move) -> bool:
        return False

    def _to_chess960(self, move: Move) -> Move:
        return move

    def _from_chess960(
        self,
        chess960: bool,
        from_square: Square,
        to_square: Square,
        promotion: chess.PieceType | None = None,
        drop: chess.PieceType | None = None,
    ) -> Move:
        return Move(from_square, to_square, promotion, drop)

    # Notation.

    def _moves_by_san(self, text: str) -> Iterator[Move] | None:
        if match := _ESCORT.fullmatch(text):
            piece_type = chess.PIECE_SYMBOLS.index(match["piece"].lower())
            return self._escorts_by(piece_type, chess.parse_square(match["square"]))
        if match := _DECOY.fullmatch(text):
            to_mask = BB_SQUARES[chess.parse_square(match["square"])]
            return filter(self.is_decoy, self.generate_legal_moves(self.kings, to_mask))
        return super()._moves_by_san(text)

    def _escorts_by(self, piece_type: chess.PieceType, beside: Square) -> Iterator[Move]:
        for move in self.generate_legal_moves(self.kings):
            escort = self._escort(move)
            if escort and escort.beside == beside and self.piece_type_at(escort.supporter) == piece_type:
                yield move

    def _moves_like_castling(self, *, long: bool) -> Iterator[Move]:
        home, beside = (chess.E1, chess.F1) if self.turn == WHITE else (chess.E8, chess.F8)
        if self.king(self.turn) != home:
            return iter(())
        return self._escorts_by(ROOK, beside - 2 if long else beside)

    def _algebraic_without_suffix(self, move: Move, *, long: bool = False) -> str:
        if escort := self._escort(move):
            piece_type = self.piece_type_at(escort.supporter)
            assert piece_type is not None, "a supporter is a piece"
            return f"E{chess.piece_symbol(piece_type).upper()}{chess.square_name(escort.beside)}"
        if self.is_decoy(move):
            return f"D{chess.square_name(move.to_square)}"
        return super()._algebraic_without_suffix(move, long=long)


class CaptureOrConquerClassicBoard(ConquestBoard):
    """The earlier edition: castling without conditions of attack, conquest by holding, no pardon.

    A King on its goal rank wins as soon as it stands there unattacked after a move of either side. When
    only the two Kings are left, neither attacks nor captures the other.
    """

    aliases = ["captureorconquer-classic", "Capture or Conquer Classic"]
    uci_variant = "captureorconquer-classic"
    xboard_variant = "captureorconquer-classic"

    def _conqueror(self) -> Color | None:
        for color in (not self.turn, self.turn):  # of two, who has just moved
            if self._holds_goal(color):
                return color
        return None

    def _is_truce(self) -> bool:
        """Whether only the Kings are left."""
        return self.occupied == self.kings

    def attackers_mask(self, color: Color, square: Square, occupied: Bitboard | None = None) -> Bitboard:
        return BB_EMPTY if self._is_truce() else super().attackers_mask(color, square, occupied)

    def attacks_mask(self, square: Square) -> Bitboard:
        attacks = super().attacks_mask(square)
        return attacks & ~self.kings if self._is_truce() else attacks

    def _attacked_for_king(self, path: Bitboard, occupied: Bitboard) -> bool:
        return False

    def legs(self, move: Move) -> list[Leg]:
        """What goes where: for castling the King, then the Rook."""
        legs = super().legs(move)
        if self.is_kingside_castling(move):
            legs.append((move.from_square + 3, move.from_square + 1))
        elif self.is_queenside_castling(move):
            legs.append((move.from_square - 4, move.from_square - 1))
        return legs
