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
USAGE
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -gt 0 ] && [ "$1" != -- ] || { usage >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
old=$1
shift
new=
if [ $# -gt 0 ] && [ "$1" != -- ]; then
  new=$1
  shift
fi
[ "${1:-}" != -- ] || shift

out=$root/target/match
mkdir -p "$out/bin"

# Builds a revision apart from the working tree; says where the program is.
build() {
  local commit program tree
  commit=$(git -C "$root" rev-parse --short=12 --verify "$1^{commit}")
  program=$out/bin/usurper-$commit
  if [ ! -x "$program" ]; then
    tree=$out/tree-$commit
    rm -rf "$tree"
    mkdir -p "$tree"
    git -C "$root" archive "$commit" | tar -x -C "$tree"
    (cd "$tree" && CARGO_TARGET_DIR=$out/build cargo build --release --locked >&2)
    cp "$out/build/release/usurper" "$program"
    rm -rf "$tree"
  fi
  echo "$program"
}

cargo build --release --locked --manifest-path "$root/Cargo.toml"
runner=$root/target/release/usurper
old_program=$(build "$old")
if [ -n "$new" ]; then
  new_program=$(build "$new")
  new_name=$new
else
  # A copy, so that the working tree can be built while the match runs.
  new_program=$out/bin/usurper-working-tree
  cp "$runner" "$new_program"
  new_name=working-tree
fi
name=$(printf '%s-vs-%s' "$new_name" "$old" | tr -c '[:alnum:]._-' '_')
# Limits add up: one that is given takes the place of ours.
limit=(--tc 8+0.08)
case " $* " in *" --st "* | *" --tc "* | *" --nodes "* | *" --depth "*) limit=() ;; esac
"$runner" match \
  --engine "cmd='$new_program',name=$new_name" --engine "cmd='$old_program',name=$old" \
  --each option.Threads=1,option.Hash=16 --variant "${VARIANT:-captureorconquer}" \
  "${limit[@]}" --games 40000 --sprt elo0=0 elo1=5 \
  --pgnout "$out/$name.pgn" --jsonout "$out/$name.jsonl" "$@"
