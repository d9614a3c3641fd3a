#!/usr/bin/env bash
# Plays this engine against Fairy-Stockfish, in the earlier edition and in today's.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/vs-fairy.sh [--wasm] [--edition NAME] [--their-st SECONDS] [-- OPTION...]

Builds this engine and plays it against Fairy-Stockfish: one thread, 16 MB of table and 0.1 s a move
for each, 100 games an edition, from balanced random openings with both colours. Games and results
go to target/vs-fairy/, in place of earlier ones; -- --resume goes on with what was stopped.

  --edition NAME  captureorconquer-classic (the earlier edition) or captureorconquer (today's, in
                  which Fairy-Stockfish knows neither Escort nor Decoy); by default both
  --wasm          the npm build fairy-stockfish-nnue.wasm (needs node and npm; fetched once) in
                  place of the installed program
  --their-st SECONDS
                  what Fairy-Stockfish has for a move, if not the same
  -- OPTION...    options of `usurper match`, which override those above, as in -- --games 20 --st 1

Environment:
  FAIRY=PATH      any Fairy-Stockfish; the default is Debian's package fairy-stockfish
  SECTION=NAME    the section of scripts/fairy/coc.ini that it plays; the default,
                  captureorconquer-royal, is by far its strongest
  USURPER=PATH    this engine, built already

It plays with a royal King, which is never left to be taken: the runner takes Kings for it, and hands
it positions where the list of moves holds one that its rules forbid. The table says how often.
USAGE
}

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
section=${SECTION:-captureorconquer-royal}
editions=(captureorconquer-classic captureorconquer)
wasm=
theirs=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --wasm) wasm=1 ;;
    --their-st) theirs=,st=${2:?--their-st SECONDS}; shift ;;
    --edition) editions=("${2:?--edition NAME}"); shift ;;
    --) shift; break ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

out=$root/target/vs-fairy
mkdir -p "$out"
ini=$root/scripts/fairy/coc.ini
if [ -n "$wasm" ]; then
  need node "install Node.js"
  need npm "install Node.js"
  module=$out/node_modules/fairy-stockfish-nnue.wasm
  [ -d "$module" ] || npm install --no-audit --no-fund --prefix "$out" fairy-stockfish-nnue.wasm@1.1.12
  fairy="cmd=node --no-experimental-fetch '$root/scripts/fairy/wasm.cjs' '$module' '$ini',option.VariantPath=/variants.ini"
else
  program=${FAIRY:-$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)}
  if [ ! -x "$program" ]; then
    echo "No $program: install it (Debian: apt install fairy-stockfish), or use --wasm or FAIRY=PATH." >&2
    exit 1
  fi
  fairy="cmd='$program',option.VariantPath='$ini'"
fi
fairy="$fairy,name=Fairy-Stockfish,variant=$section,option.Threads=1,option.Hash=16"
case $section in *-royal | *-pseudoroyal) fairy=$fairy,royal=true ;; esac
fairy=$fairy$theirs
# The runner's clock starts with the line `go`, so no time is held back; Fairy-Stockfish holds none back either.
ours=option.Threads=1,option.Hash=16,"option.Move Overhead=0"

build
limits_given "$@" || set -- --st 0.1 "$@"
given --resume -- "$@" || set -- --overwrite "$@"
for edition in "${editions[@]}"; do
  "$usurper" match \
    --engine "cmd='$usurper',name=usurper,$ours" --engine "$fairy" \
    --variant "$edition" --games 100 \
    --pgnout "$out/$edition${wasm:+-npm}.pgn" --jsonout "$out/$edition${wasm:+-npm}.jsonl" "$@"
done
