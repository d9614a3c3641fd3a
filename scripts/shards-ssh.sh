#!/usr/bin/env bash
# One match on several machines, by GNU parallel over ssh.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/shards-ssh.sh SHARDS HOSTS [--] OPTION...

Splits a match into SHARDS parts, plays them on HOSTS (as GNU parallel's --sshlogin has them, so
`1/alice,1/bob` is one part at a time on each; `:` is this machine), brings the results back to
target/shards/ and shows the table of the whole. Run it again to play the parts that are missing.

OPTION... are those of `usurper match`. Every machine needs usurper in the PATH and the engines at the
paths given; name a seed, or each part draws openings of its own:

  scripts/shards-ssh.sh 16 1/alice,1/bob -- --engine /opt/new --engine /opt/old \
      --games 20000 --tc 8+0.08 --sprt elo0=0 elo1=5 --seed 1
USAGE
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -gt 2 ] || { usage >&2; exit 2; }
shards=$1 hosts=$2
shift 2
[ "$1" != -- ] || shift
case " $* " in *" --seed "*) ;; *) echo "Name a --seed: all parts must draw the same openings." >&2; exit 2 ;; esac

out=$(cd "$(dirname "$0")/.." && pwd)/target/shards
mkdir -p "$out"
cd "$out"
options=$(printf '%q ' "$@")
# --return brings a part's results back; --resume of usurper goes on where a machine was stopped.
seq "$shards" | parallel --sshlogin "$hosts" --joblog jobs.log --resume-failed --retries 3 \
  --return "part-{}.jsonl" --line-buffer --tag \
  "usurper match $options --shard {}/$shards --jsonout part-{}.jsonl --resume"
usurper match --merge part-*.jsonl
