# What the scripts that play games share; sourced by them, with `root` set.

# need PROGRAM HINT: ends the script with a hint if a program is missing.
need() {
  command -v "$1" >/dev/null && return
  echo "No $1: $2." >&2
  exit 1
}

# Builds this engine as it stands, unless USURPER names one, and sets `usurper` to the program.
# Cargo is run inside the repository: it looks there for the processor to build for.
build() {
  usurper=${USURPER:-$root/target/release/usurper}
  [ -z "${USURPER:-}" ] || return 0
  need cargo "install Rust from https://rustup.rs"
  (cd "$root" && CARGO_TARGET_DIR=$root/target cargo build --release --locked)
}

# given OPTION... -- ARGUMENT...: whether one of the options is among the arguments.
given() {
  local options=" " argument
  while [ "$1" != -- ]; do
    options="$options$1 "
    shift
  done
  for argument; do
    case $options in *" ${argument%%=*} "*) return 0 ;; esac
  done
  return 1
}

# limits_given ARGUMENT...: whether a limit is among them. Limits add up: one that is given takes the
# place of ours.
limits_given() { given --st --tc --nodes --depth -- "$@"; }
