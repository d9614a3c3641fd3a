#!/usr/bin/env bash
# One match on several machines, by GNU parallel over ssh.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/shards-ssh.sh SHARDS HOSTS [--] OPTION...

Splits a match into SHARDS parts, plays them on HOSTS (as GNU parallel's --sshlogin has them, so
`1/alice,1/bob` is one part at a time on each; `:` is this machine), brings the results back to a folder
of target/shards/ and shows the table of the whole. The same command again plays the parts that are
missing.

OPTION... are those of `usurper match`, a --seed among them: all parts must draw the same openings.
Every machine needs usurper in the PATH, and the engines at the paths given:

  scripts/shards-ssh.sh 16 1/alice,1/bob -- --engine /opt/new --engine /opt/old \
      --games 20000 --tc 8+0.08 --sprt elo0=0 elo1=5 --seed 1

Environment:
  USURPER=PATH   where usurper is, on every machine
USAGE
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -gt 2 ] || { usage >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
shards=$1 hosts=$2
shift 2
[ "$1" != -- ] || shift
given --seed -- "$@" || { echo "Name a --seed: all parts must draw the same openings." >&2; exit 2; }
need parallel "install GNU parallel (Debian: apt install parallel)"
usurper=${USURPER:-usurper}
need "$usurper" "put it into the PATH of every machine, or say USURPER=PATH"

# Each match has a folder of its own, here and in the home folders of the other machines, named by all
# that makes it this match.
command=$(printf '%q ' "$usurper" match "$@")
key=usurper-$(printf '%s' "$shards $command" | cksum | cut -d' ' -f1)
mkdir -p "$root/target/shards/$key"
cd "$root/target/shards"
# --return brings a part's results back; --resume of usurper goes on where a machine was stopped.
seq "$shards" | parallel --will-cite --sshlogin "$hosts" --joblog "$key/jobs.log" --resume-failed \
  --retries 3 --return "$key/part-{}.jsonl" --line-buffer --tag \
  "mkdir -p $key && $command --shard {}/$shards --jsonout $key/part-{}.jsonl --resume" ||
  echo "Some parts are not played; the same command tries them again." >&2
echo "The parts are in $PWD/$key." >&2
"$usurper" match --merge "$key"/part-*.jsonl
