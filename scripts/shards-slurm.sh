#!/usr/bin/env bash
# One match as a Slurm job array: each task plays one part.
#
#   sbatch --array=1-16 scripts/shards-slurm.sh --engine /opt/new --engine /opt/old \
#       --games 20000 --tc 8+0.08 --sprt elo0=0 elo1=5 --seed 1
#   usurper match --merge part-*.jsonl        # the table, at any time
#
# The results are part-N.jsonl in the folder where sbatch was called, one folder a match. A task that
# was stopped, by its time limit too, goes on where it was when the same command is submitted again.
# usurper must be in the PATH, or USURPER=PATH say where it is.
#SBATCH --job-name=usurper-match
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@30
set -euo pipefail

usage() { sed -n '2,11s/^# \{0,1\}//p' "$0"; }
case ${1:-} in -h | --help) usage; exit 0 ;; esac
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "This is for sbatch --array=1-N; see --help." >&2
  exit 2
fi
if [ "${SLURM_ARRAY_TASK_MIN:-1}" != 1 ]; then
  echo "The array must begin with 1, and be the whole: --array=1-N." >&2
  exit 2
fi
usurper=${USURPER:-usurper}
command -v "$usurper" >/dev/null || { echo "No $usurper: put it into the PATH, or say USURPER=PATH." >&2; exit 1; }
# In place of the shell, which is what Slurm signals before the time limit.
exec "$usurper" match "$@" --concurrency "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
  --jsonout "part-$SLURM_ARRAY_TASK_ID.jsonl" --resume
