# shellcheck shell=bash
# How Holdfast is started: what the launcher of the sources and the one of a package have in common.
# Whoever includes this file has set:
#
#   app    the folder that holds holdfast.jar and lib/
#   kept   the folder for what is kept for a quicker start; it need not be there
#   tools  the programs that a JDK must have to be taken
#
# shellcheck disable=SC2154

readonly NEEDED=25
# Classes as the JVM keeps them after a first run: of a broker, and of the commands that ask one.
readonly cache=$kept/holdfast.aot
readonly client_cache=$kept/client.aot
# The JDK that was found, so that it need not be looked for again.
readonly known_jdk=$kept/.jdk
# RocksDB's library for this machine; else each start unpacks one, and a kill leaves it behind.
readonly native=$kept/native

# A command that asks and ends has more use for a quick start than for quick code.
readonly client_flags=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)
# A broker makes much garbage and keeps little: a small young generation bounds what it takes, whatever the machine has,
# and what a burst took is given back. GCTimeRatio: G1 would otherwise grow the heap to collect less often, which it
# cannot, because the young generation is bounded; the smaller the limit of the heap, the less it tries. MaxRAM: that
# limit is a quarter of the memory, at most 2 GiB.
readonly server_flags=(-XX:+UseG1GC -Xms32m -XX:MaxRAM=8g -XX:GCTimeRatio=1 -XX:MaxNewSize=40m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30
  -XX:G1PeriodicGCInterval=15000 -XX:+UseCompactObjectHeaders)
flags=(--enable-native-access=ALL-UNNAMED "-Djava.library.path=$native")
# What the JVM runs.
program=(-jar "$app/holdfast.jar")

# So that what is said to paste can be pasted.
export HOLDFAST_LAUNCHER=$0

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$@"
  exit 1
}

# Prints the feature number of a JDK's folder, or 0 when the folder holds none.
feature_of() {
  local line tool version=""
  for tool in "${tools[@]}"; do
    if [ ! -x "$1/bin/$tool" ]; then
      printf '0\n'
      return
    fi
  done
  if [ -r "$1/release" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        JAVA_VERSION=*)
          version=${line#*\"}
          version=${version%%[!0-9]*}
          ;;
      esac
    done <"$1/release"
  fi
  printf '%s\n' "${version:-0}"
}

# Prints the folder of the JDK whose `java` is on the path.
jdk_on_path() {
  local java
  java=$(command -v java) || return 0
  "$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

# Prints the folder of a JDK that is new enough: the one asked for, else the first, else nothing.
find_jdk() {
  local home known=""
  if [ -r "$known_jdk" ]; then
    IFS= read -r known <"$known_jdk"
  fi
  for home in "${JAVA_HOME:-}" "$known"; do
    if [ -n "$home" ] && [ "$(feature_of "$home")" -ge "$NEEDED" ]; then
      printf '%s\n' "$home"
      return
    fi
  done
  for home in "$(jdk_on_path)" \
    /usr/lib/jvm/* "${HOME:-}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/java/*; do
    if [ -n "$home" ] && [ "$(feature_of "$home")" -ge "$NEEDED" ]; then
      printf '%s\n' "$home"
      return
    fi
  done
}

require_jdk() {
  jdk=$(find_jdk)
  [ -n "$jdk" ] || die "Holdfast needs a JDK $NEEDED or newer, and none was found.
Looked at: JAVA_HOME (${JAVA_HOME:-not set}), java on the PATH ($(command -v java || echo none)), /usr/lib/jvm,
  ~/.sdkman/candidates/java, /Library/Java/JavaVirtualMachines, /opt/java.
To do: install one (for example Eclipse Temurin $NEEDED) and set JAVA_HOME to its folder."
}

unpack_native() {
  local name
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) name=librocksdbjni-linux64.so ;;
    Linux-aarch64) name=librocksdbjni-linux-aarch64.so ;;
    Darwin-x86_64) name=librocksdbjni-osx-x86_64.jnilib ;;
    Darwin-arm64) name=librocksdbjni-osx-arm64.jnilib ;;
    *) return 1 ;;
  esac
  # Of the two kinds of Linux the JVM knows which one it runs on.
  if ls /lib/ld-musl-* >/dev/null 2>&1; then
    return 1
  fi
  mkdir -p "$native"
  (cd "$native" && "$jdk/bin/jar" xf "$app"/lib/rocksdbjni-*.jar "$name")
}

# Starts a broker once, sends it requests and some seconds of load, runs commands against it and stops it, so that the
# JVM learns which classes are needed and which methods are hot.
rehearse() {
  local work port="" tries=0 pid status=0
  work=$(mktemp -d)
  # Nothing of the caller's environment: it may say other options.
  # Nor tokens that lie where it was called from.
  (cd "$work" && exec env -i "$jdk/bin/java" "-XX:AOTCacheOutput=$cache" "${flags[@]}" \
    "${server_flags[@]}" -jar "$app/holdfast.jar" serve --host 127.0.0.1 --port 0 --data "$work/data" >"$work/out") &
  pid=$!
  while [ -z "$port" ] && [ $((tries += 1)) -le 300 ] && kill -0 "$pid"; do
    sleep 0.1
    port=$(sed -n 's|^Holdfast listens on http://127.0.0.1:||p' "$work/out")
  done
  if [ -n "$port" ]; then
    request "$port" POST /api/v1/push '{"items":[{"queue":"q","payload":1}]}'
    request "$port" GET "/api/v1/pop/queue/q"
    request "$port" POST /queue/p/push '{"item":1}'
    request "$port" POST "/queue/p/pop?require_ack=true"
    request "$port" GET /health
    env -i "$jdk/bin/java" "${flags[@]}" -cp "$app/holdfast.jar" io.holdfast.cli.training.ServerTraining \
      "http://127.0.0.1:$port"
    env -i "$jdk/bin/java" "-XX:AOTCacheOutput=$client_cache" "${flags[@]}" "${client_flags[@]}" \
      -cp "$app/holdfast.jar" io.holdfast.cli.training.CommandTraining "http://127.0.0.1:$port" ||
      rm -f "$client_cache"
  fi
  kill -TERM "$pid"
  wait "$pid" || status=$?
  rm -rf "$work"
  return "$status"
}

# Sends one HTTP request to this machine and prints how the answer begins.
request() {
  local port=$1 method=$2 path=$3 body=${4:-} line=""
  exec 8<>"/dev/tcp/127.0.0.1/$port"
  printf '%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %s\r\n\r\n%s' \
    "$method" "$path" "${#body}" "$body" >&8
  IFS= read -r -t 10 line <&8
  exec 8<&-
  printf '%s\n' "$line"
}

# Makes what is kept for a quicker start. Without it everything works, only later.
prepare() {
  mkdir -p "$kept"
  unpack_native || rm -rf "$native"
  rehearse || rm -f "$cache" "$client_cache"
  printf '%s\n' "$jdk" >"$known_jdk"
}

# What a JVM cannot find out by itself, and cannot do without to read arguments as they were typed.
tell_of_terminal() {
  local streams="" size=""
  if [ -t 0 ]; then streams+=0; fi
  if [ -t 1 ]; then streams+=1; fi
  if [ -t 2 ]; then streams+=2; fi
  flags+=("-Dholdfast.terminal=$streams")
  if [ -t 1 ] && size=$(stty size 2>/dev/null </dev/tty); then
    flags+=("-Dholdfast.terminal.size=$size")
  fi
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    '' | C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
}

# Runs a command of the command line, in place of this shell. A cache that does not fit this JVM or
# its options is left aside, without a word.
run_command() {
  local fitting=$client_cache
  case ${1:-} in
    serve)
      fitting=$cache
      flags+=("${server_flags[@]}")
      # The store's threads would otherwise each keep what they freed.
      export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
      ;;
    bench)
      fitting=none
      # A bench starts servers as a user does.
      flags+=("-Dholdfast.launcher=$0")
      # This one has the broker of a server in its own JVM.
      if [ "${2:-}" = steps ]; then flags+=("${server_flags[@]}"); fi
      ;;
    demo | verify | checkpoint) fitting=none ;;
    *) flags+=("${client_flags[@]}") ;;
  esac
  tell_of_terminal
  if [ -f "$fitting" ]; then
    flags+=("-XX:AOTCache=$fitting" '-Xlog:aot*=off' '-Xlog:cds*=off')
  fi
  # Unquoted on purpose: several options are several words.
  # shellcheck disable=SC2086
  exec "$jdk/bin/java" "${flags[@]}" ${HOLDFAST_JAVA_OPTS:-} \
    "${program[@]}" "$@"
}
