//! The editions of the game and the table of what each allows.
//!
//! Only `rules/` reads the table; everything else asks the position. A new edition is a new row.

use crate::board::PieceKind;
use PieceKind::{Bishop, Knight, Queen, Rook};

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Edition {
    /// Capture or Conquer as it is played today: Escort, Decoy, ultimatum, forced repetition.
    #[default]
    CaptureOrConquer = 0,
    /// The earlier edition: castling, conquest by holding, repetition always loses.
    Classic = 1,
    /// Orthodox chess.
    Chess = 2,
}

/// How a King on its goal rank wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conquest {
    /// Not at all.
    Never,
    /// On arrival if unattacked; else the opponent's next move must take it.
    Ultimatum,
    /// Whenever it stands there unattacked after a move of either side.
    Holding,
}

/// One row of the table.
pub(super) struct Rules {
    /// A King may not be left attacked, and the game ends by mate instead of capture.
    pub royal: bool,
    /// King and line piece, King and pawn may move together.
    pub escort_and_decoy: bool,
    /// King and unmoved Rook may castle.
    pub castling: bool,
    /// How a King conquers.
    pub conquest: Conquest,
    /// Two bare Kings can neither attack nor take one another.
    pub bare_kings_truce: bool,
    /// Who was forced when he repeated a third time wins by it.
    pub forced_repetition_pardoned: bool,
    /// What a pawn becomes on the last rank, the written order.
    pub promotions: &'static [PieceKind],
}

const TABLE: [Rules; 3] = [
    Rules {
        royal: false,
        escort_and_decoy: true,
        castling: false,
        conquest: Conquest::Ultimatum,
        bare_kings_truce: false,
        forced_repetition_pardoned: true,
        promotions: &[Queen],
    },
    Rules {
        royal: false,
        escort_and_decoy: false,
        castling: true,
        conquest: Conquest::Holding,
        bare_kings_truce: true,
        forced_repetition_pardoned: false,
        promotions: &[Queen],
    },
    Rules {
        royal: true,
        escort_and_decoy: false,
        castling: true,
        conquest: Conquest::Never,
        bare_kings_truce: false,
        forced_repetition_pardoned: false,
        promotions: &[Queen, Rook, Bishop, Knight],
    },
];

impl Edition {
    /// All editions, the default first.
    pub const ALL: [Edition; 3] = [Edition::CaptureOrConquer, Edition::Classic, Edition::Chess];

    /// The value of `UCI_Variant`: `captureorconquer`, `captureorconquer-classic`, `chess`.
    pub const fn name(self) -> &'static str {
        match self {
            Edition::CaptureOrConquer => "captureorconquer",
            Edition::Classic => "captureorconquer-classic",
            Edition::Chess => "chess",
        }
    }

    /// The edition of this name; XBoard's `normal` is chess. The case is free.
    pub fn parse(name: &str) -> Option<Edition> {
        if name.eq_ignore_ascii_case("normal") {
            return Some(Edition::Chess);
        }
        Edition::ALL.into_iter().find(|e| e.name().eq_ignore_ascii_case(name))
    }

    pub(super) const fn rules(self) -> &'static Rules {
        &TABLE[self as usize]
    }

    /// The edition of this number, for functions specialised by it.
    pub(super) const fn from_number(number: u8) -> Edition {
        Edition::ALL[number as usize]
    }

    /// Whether games of this edition can end drawn (chess) or never do.
    pub const fn has_draws(self) -> bool {
        self.rules().royal
    }

    /// Whether Kings win by reaching their goal rank.
    pub const fn has_conquest(self) -> bool {
        !matches!(self.rules().conquest, Conquest::Never)
    }

    /// Whether the Escort and the Decoy are moves of this edition.
    pub const fn has_escort_and_decoy(self) -> bool {
        self.rules().escort_and_decoy
    }

    /// What a pawn may become on the last rank.
    pub const fn promotions(self) -> &'static [PieceKind] {
        self.rules().promotions
    }
}

impl std::fmt::Display for Edition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
