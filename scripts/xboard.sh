#!/usr/bin/env bash
# A game against this engine in the window of XBoard.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/xboard.sh [--variant NAME] [--king] [--black] [--minutes N] [-- OPTION...]

Builds this engine if need be and starts XBoard with it. Moves are made by the mouse: an Escort is a King's move
to where he lands, a Decoy a King's move onto the pawn. Squares that can be reached are marked.

  --variant NAME  captureorconquer (the default), captureorconquer-classic, normal
  --king          tell XBoard that the King is one; it then leaves all judging to the engine
  --black         you play Black
  --minutes N     for the whole game, each side; 10 by default
  -- OPTION...    options of XBoard, as in -- -size 64

Environment:
  USURPER=PATH    this engine, built already
USAGE
}

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
variant=captureorconquer minutes=10 king= black=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --variant) variant=${2:?--variant NAME}; shift ;;
    --king) king=1 ;;
    --black) black=1 ;;
    --minutes) minutes=${2:?--minutes N}; shift ;;
    --) shift; break ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

# Debian keeps games where not every PATH looks.
PATH=$PATH:/usr/games
need xboard "install it (Debian: apt install xboard)"
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || { echo "No screen: DISPLAY is not set." >&2; exit 1; }
build

# XBoard lets nobody leave attacked what it takes for a King, unless it tests nothing itself. So in today's edition
# the King is its Man, drawn as a King; the earlier edition has the real one.
options=()
if [ -n "$king" ] || [ "$variant" = captureorconquer-classic ]; then
  options+=(-testLegality false -firstOptions "Show King As=king" -secondOptions "Show King As=king")
elif [ "$variant" = captureorconquer ]; then
  figures=$root/target/figures
  mkdir -p "$figures"
  for color in White Black; do
    for theme in /usr/share/games/xboard /usr/share/xboard /usr/local/share/games/xboard; do
      figure=$theme/themes/default/${color}King.svg
      [ ! -e "$figure" ] || ln -sf "$figure" "$figures/${color}Commoner.svg"
    done
  done
  options+=(-pieceImageDirectory "$figures")
fi
# XBoard's own ideas of who has won and what is drawn are those of chess.
if [ "$variant" != normal ]; then
  options+=(-testClaims false -materialDraws false -trivialDraws false -checkMates false -ruleMoves 0 -repeatsToDraw 0)
fi
[ -z "$black" ] || options+=(-initialMode MachineWhite)
# What is set here is for this game alone. XBoard cuts the engine's command at blanks, but not its folder.
exec xboard -fd "$(dirname "$usurper")" -fcp "./$(basename "$usurper")" -variant "$variant" \
  -timeControl "$minutes" -movesPerSession 0 -timeIncrement 0 -saveSettingsOnExit false "${options[@]}" "$@"
