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

# commit REVISION: its hash; an unknown one ends the script before anything is built.
commit() {
  git -C "$root" rev-parse --quiet --short=12 --verify --end-of-options "$1^{commit}" ||
    { echo "$1: no such revision." >&2; exit 2; }
}

# build_commit COMMIT [OTHER PATH]: builds a commit apart from the working tree, in the folder `out`, if need be with what
# stands at PATH in another commit; says where the program is.
build_commit() {
  local commit=$1 program tree
  program=$out/bin/usurper-$commit${2:+-with-$2}
  if [ ! -x "$program" ]; then
    mkdir -p "$out/bin"
    tree=$out/tree-$commit
    rm -rf "$tree"
    mkdir -p "$tree"
    git -C "$root" archive "$commit" | tar -x -C "$tree"
    [ -z "${2:-}" ] || git -C "$root" archive "$2" "$3" | tar -x -C "$tree"
    (cd "$tree" && CARGO_TARGET_DIR=$out/build cargo build --release --locked >&2)
    cp "$out/build/release/usurper" "$program"
    rm -rf "$tree"
  fi
  echo "$program"
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
