#!/usr/bin/env bash
# Plays two builds of this engine, from two git revisions, until a sequential test is decided.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/match.sh OLD [NEW] [-- OPTION...]

Builds the revisions OLD and NEW (by default the working tree as it stands) and plays NEW against OLD:
8+0.08, one thread, 16 MB, balanced random openings with both colours, until a sequential test of
normalised Elo 0 against 5 is decided, at most 40000 games. Games and results go to target/match/;
the same command with -- --resume goes on with a match that was stopped.

  -- OPTION...   options of `usurper match`, which override those above, as in
                 -- --tc 60+0.6 --sprt elo0=-5 elo1=0 --concurrency 8

Environment:
  VARIANT=NAME   the edition; by default captureorconquer
  USURPER=PATH   the program that runs the match, built already; without NEW it is the one that plays
USAGE
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -gt 0 ] && [ "$1" != -- ] || { usage >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
old=$1
shift
new=
if [ $# -gt 0 ] && [ "$1" != -- ]; then
  new=$1
  shift
fi
[ $# -eq 0 ] || [ "$1" = -- ] || { usage >&2; exit 2; }
[ "${1:-}" != -- ] || shift
need git "install it"
need cargo "install Rust from https://rustup.rs"

old_commit=$(commit "$old")
[ -z "$new" ] || new_commit=$(commit "$new")

out=$root/target/match
mkdir -p "$out/bin"

build
old_program=$(build_commit "$old_commit")
if [ -n "$new" ]; then
  new_program=$(build_commit "$new_commit")
  new_name=$new
else
  # A copy by its content: the working tree can be changed and built while the match runs, and a
  # match is not resumed with another program.
  new_program=$out/bin/usurper-tree-$(cksum <"$usurper" | cut -d' ' -f1)
  [ -x "$new_program" ] || cp "$usurper" "$new_program"
  new_name=working-tree
fi
name=$(printf '%s-vs-%s' "$new_name" "$old" | tr -c '[:alnum:]._-' '_')
limits_given "$@" || set -- --tc 8+0.08 "$@"
"$usurper" match \
  --engine "cmd='$new_program',name='$new_name'" --engine "cmd='$old_program',name='$old'" \
  --each option.Threads=1,option.Hash=16 --variant "${VARIANT:-captureorconquer}" \
  --games 40000 --sprt elo0=0 elo1=5 \
  --pgnout "$out/$name.pgn" --jsonout "$out/$name.jsonl" "$@"
