#!/usr/bin/env bash
# One match as a Slurm job array: each task plays one part.
#
#   sbatch --array=1-16 scripts/shards-slurm.sh --engine /opt/new --engine /opt/old \
#       --games 20000 --tc 8+0.08 --sprt elo0=0 elo1=5 --seed 1
#   usurper match --merge part-*.jsonl        # the table, at any time
#
# The results are part-N.jsonl in the folder where sbatch was called. A task that was stopped, by its
# time limit too, goes on where it was when the same command is submitted again.
#SBATCH --job-name=usurper-match
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@30
set -euo pipefail

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }
case ${1:-} in -h | --help) usage; exit 0 ;; esac
if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "This is for sbatch --array=1-N; see --help." >&2
  exit 2
fi
exec usurper match "$@" --concurrency "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" \
  --jsonout "part-$SLURM_ARRAY_TASK_ID.jsonl" --resume
