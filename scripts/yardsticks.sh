#!/usr/bin/env bash
# The matches by which docs/strength.md says how strong the engine is.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/yardsticks.sh YARDSTICK... [-- OPTION...]

Builds what it takes and plays 400 games for each yardstick, 0.1 s a move, one thread and 16 MB each, from
balanced random openings with both colours. Games and results go to target/yardsticks/, in place of
earlier ones (those against Fairy-Stockfish to target/vs-fairy/); -- --resume goes on with what was stopped.

  network           the evaluation in use against the hand-made one of the first version, with
                    today's search, in today's edition
  network-classic   the same in the earlier edition
  search            this version's search against the first version's, in today's edition, both with
                    the hand-made evaluation of the first
  threads           two threads against one, in today's edition; one game at a time on two cores
  fairy             the earlier edition against Debian's Fairy-Stockfish, royal section
  fairy-npm         the same against its npm build, which has three times our time

  -- OPTION...      options of `usurper match`, which override those above, as in -- --tc 10+0.1 or
                    -- --nodes 5000 --seed 2

The first version is FIRST=REVISION, by default the one in which the engine first played whole matches.
USAGE
}

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
yardsticks=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    network | network-classic | search | threads | fairy | fairy-npm) yardsticks+=("$1") ;;
    --) break ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[ ${#yardsticks[@]} -gt 0 ] || { usage >&2; exit 2; }
[ "${1:-}" != -- ] || shift
need git "install it"
need cargo "install Rust from https://rustup.rs"
first=$(commit "${FIRST:-eb4a556}")
now=$(commit HEAD)
out=$root/target/yardsticks
mkdir -p "$out"

# play NAME VARIANT NEW OLD [OPTION...]: a match of two engines, said by their keys.
play() {
  local name=$1 variant=$2 new=$3 old=$4
  shift 4
  "$new_program" match --engine "cmd='$new_program',name=new,$new" --engine "name=old,$old" \
    --each "option.Hash=16,option.Move Overhead=0" --variant "$variant" --games 400 \
    --pgnout "$out/$name.pgn" --jsonout "$out/$name.jsonl" "${files[@]}" "$@"
}

new_program=$(build_commit "$now")
limits_given "$@" || set -- --st 0.1 "$@"
files=()
given --resume -- "$@" || files=(--overwrite)
for yardstick in "${yardsticks[@]}"; do
  hand="option.EvalFile=<hand-made>"
  case $yardstick in
    network | network-classic)
      case $yardstick in *-classic) variant=captureorconquer-classic ;; *) variant=captureorconquer ;; esac
      program=$(build_commit "$now" "$first" src/eval/weights)
      play "$yardstick" "$variant" option.Threads=1 "cmd='$program',option.Threads=1,$hand" "$@"
      ;;
    search)
      program=$(build_commit "$now" "$first" src/eval/weights)
      old=$(build_commit "$first")
      new_program=$program play search captureorconquer "option.Threads=1,$hand" \
        "cmd='$old',option.Threads=1" "$@"
      ;;
    threads)
      play threads captureorconquer option.Threads=2 "cmd='$new_program',option.Threads=1" \
        --concurrency 1 "$@"
      ;;
    fairy)
      USURPER=$new_program "$root/scripts/vs-fairy.sh" --edition captureorconquer-classic \
        -- --games 400 "$@"
      ;;
    fairy-npm)
      USURPER=$new_program "$root/scripts/vs-fairy.sh" --wasm --their-st 0.3 \
        --edition captureorconquer-classic -- --games 400 "$@"
      ;;
  esac
done
