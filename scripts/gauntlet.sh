#!/usr/bin/env bash
# Plays this engine against each of some others.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/gauntlet.sh [ENGINE...] [-- OPTION...]

Builds this engine and plays it against each ENGINE: 8+0.08, 16 MB, balanced random openings with both
colours, 100 games with each. Games and results go to target/gauntlet/, in place of earlier ones. An
ENGINE is a command, or keys as `usurper match --help` shows them. Without one, it plays against itself
at four smaller numbers of positions a move, which shows how much more thinking is worth.

  -- OPTION...   options of `usurper match`, which override those above; -- --resume goes on with a
                 gauntlet that was stopped

Environment:
  USURPER=PATH   this engine, built already
USAGE
}

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
engines=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    -*) usage >&2; exit 2 ;;
    *) engines+=(--engine "$1") ;;
  esac
  shift
done

out=$root/target/gauntlet
mkdir -p "$out"
build
limit=(--tc 8+0.08)
if [ ${#engines[@]} -eq 0 ]; then
  limit=(--nodes 16000)
  for nodes in 8000 4000 2000 1000; do
    engines+=(--engine "cmd='$usurper',name=$nodes,nodes=$nodes,option.Hash=16")
  done
fi
limits_given "$@" || set -- "${limit[@]}" "$@"
given --resume -- "$@" || set -- --overwrite "$@"
"$usurper" match \
  --engine "cmd='$usurper',name=usurper,option.Hash=16" "${engines[@]}" \
  --tournament gauntlet --games 100 \
  --pgnout "$out/games.pgn" --jsonout "$out/results.jsonl" "$@"
