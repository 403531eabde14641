#!/usr/bin/env bash
# A Slurm cluster of three nodes with two processors each, all of them this machine; and runs on it that are disturbed.
#
#     scripts/slurm_loopback.sh start DIR          sets it up in a new folder, and says how to use it
#     scripts/slurm_loopback.sh stop DIR           stops it; nothing is left running
#     scripts/slurm_loopback.sh check DIR [short]  starts it, plays a match and a race on it while tasks and the coordinator are
#                                                  killed, compares the results with those of one process, and stops it;
#                                                  short: fewer nodes, and no race
#
# It needs Debian's packages slurm-wlm and munge, and root. It uses a key for munge and ports of its own, so that it is in
# nobody's way. LMRLAB is the program to check; without it, it is built. SLURM_LOOPBACK_PORT is the first of eight ports.
#
# Exit status: 0 when all files are the same, 3 when no cluster could be set up, 4 when the machine was too fast for as many
# disturbances as there should be, 1 when something is wrong.
set -euo pipefail

usage() {
  sed -n 's/^# \{0,1\}//; 3,8p' "$0" >&2
  exit 2
}

fail() {
  echo "slurm_loopback: $*" >&2
  exit "${status:-1}"
}

# Whether a process runs; a zombie does not.
is_alive() {
  local state
  state="$(ps -o stat= -p "$1" 2> /dev/null)" && [[ $state != Z* ]]
}

# Waits until a command succeeds: SECONDS WHAT COMMAND..
wait_until() {
  local deadline=$((SECONDS + $1)) what="$2"
  shift 2
  until "$@"; do
    ((SECONDS < deadline)) || fail "$what: not within the time for it"
    sleep 0.2
  done
}

nodes_are_idle() {
  [ "$(sinfo --noheader --Node --format=%T 2> /dev/null | sort | uniq -c | tr -s ' ')" = " 3 idle" ]
}

start() {
  for program in munged slurmctld slurmd sbatch; do
    command -v "$program" > /dev/null || fail "there is no $program: apt-get install slurm-wlm munge"
  done
  [ "$(id -u)" = 0 ] || fail "Slurm's daemons need root"
  [ ! -e "$dir/slurm.conf" ] || fail "$dir has a cluster already: stop it, and remove the folder"
  local host port="${SLURM_LOOPBACK_PORT:-16817}"
  host="$(hostname -s)"
  mkdir -p "$dir"/{munge,state,log,spool/n1,spool/n2,spool/n3}
  chmod 755 "$dir/munge"
  (umask 077 && head -c 128 /dev/urandom > "$dir/munge/key")
  munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --log-file="$dir/munge/log" \
    --pid-file="$dir/munge/pid" --seed-file="$dir/munge/seed" 2> "$dir/munge/warnings" ||
    fail "munged does not start: $(cat "$dir/munge/warnings")"
  cat > "$dir/slurm.conf" << CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
# The nodes have what is written below, whatever this machine has.
SlurmdParameters=config_overrides
ReturnToService=2
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldLogFile=$dir/log/ctld.log
SlurmdLogFile=$dir/log/%n.log
SlurmctldPidFile=$dir/ctld.pid
SlurmdPidFile=$dir/%n.pid
MpiDefault=none
SchedulerParameters=sched_interval=2
NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 4))-$((port + 6))] CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  slurmctld -c
  for node in n1 n2 n3; do slurmd -N "$node"; done
  wait_until 60 "three idle nodes (see $dir/log)" nodes_are_idle
  echo "three nodes are idle; now"
  echo "    export SLURM_CONF=$dir/slurm.conf"
  echo "    lmrlab run quickstart --executor slurm"
}

# Ends the process in a file with its id.
end() {
  local pid
  pid="$(cat "$1" 2> /dev/null)" || return 0
  is_alive "$pid" || return 0
  kill "$pid"
  for _ in {1..50}; do
    is_alive "$pid" || return 0
    sleep 0.2
  done
  kill -9 "$pid" 2> /dev/null || true
}

queue_is_empty() {
  [ -z "$(squeue --noheader 2> /dev/null)" ]
}

stop() {
  [ -e "$dir/slurm.conf" ] || fail "there is no cluster in $dir"
  if is_alive "$(cat "$dir/ctld.pid" 2> /dev/null || echo 0)"; then
    scancel --user="$(id -un)" 2> /dev/null || true
    for _ in {1..50}; do
      queue_is_empty && break
      sleep 0.2
    done
  fi
  for pid in "$dir"/{n1,n2,n3,ctld}.pid "$dir/munge/pid"; do end "$pid"; done
  # Tasks have their folder among their arguments.
  local left
  left="$(ps -eo pid=,stat=,args= | awk -v dir="$dir/" -v self="$$" '$1 != self && $2 !~ /^Z/ && index($0, dir) && !/awk/' |
    grep -v "slurm_loopback.sh" || true)"
  [ -z "$left" ] || fail "still running: $left"
  rm -f "$dir"/{n1,n2,n3,ctld}.pid "$dir/munge/pid"
  mv "$dir/slurm.conf" "$dir/slurm.conf.stopped"
  echo "stopped; nothing is left running"
}

# Lines of the journal so far.
recorded() {
  if [ -e "$out/games.csv" ]; then wc -l < "$out/games.csv"; else echo 0; fi
}

# Waits until so many games are recorded, or the coordinator has ended.
wait_for_games() {
  while is_alive "$coordinator" && (($(recorded) < $1)); do sleep 0.1; done
  (($(recorded) <= games)) || status=4 fail "$name: all games were over before $2; more nodes a move are needed"
  is_alive "$coordinator" || fail "$name: the coordinator ended before $2; see $out.log"
  echo "  at $(recorded) lines of games.csv: $2"
}

# Kills one task of the run, if one runs within some seconds.
kill_a_task() {
  local tasks task
  for _ in {1..50}; do
    mapfile -t tasks < <(pgrep -f "^[^ ]*lmrlab resume $out/parts/" || true)
    if ((${#tasks[@]})); then
      task="${tasks[RANDOM % ${#tasks[@]}]}"
      if kill -9 "$task" 2> /dev/null; then
        kills=$((kills + 1))
        return 0
      fi
    fi
    sleep 0.1
  done
}

resume_n1() {
  scontrol update nodename=n1 state=resume 2> /dev/null && return 0
  # A new slurmctld may have forgotten that it was drained.
  [[ "$(sinfo --noheader --nodes=n1 --format=%T)" =~ ^(idle|mixed|allocated)$ ]]
}

go_on() {
  "$lmrlab" "$@" >> "$out.log" 2>&1 &
  coordinator=$!
}

kill_coordinator() {
  kill -9 "$coordinator"
  wait "$coordinator" 2> /dev/null || true
}

# Plays a tournament file here and on the cluster, and compares.
check_run() {
  name="$1"
  local games lines file kills=0
  echo "$name, in one process"
  "$lmrlab" run "$work/$name.toml" --out "$work/$name-here" > "$work/$name-here.log" 2>&1 || fail "see $work/$name-here.log"
  lines="$(wc -l < "$work/$name-here/games.csv")"
  games=$((lines - 1))
  out="$work/$name"
  echo "$name, on three nodes ($games games)"
  go_on run "$work/$name.toml" --executor "$work/executor.toml" --out "$out"
  wait_for_games $((games * 3 / 100)) "a task is killed"
  kill_a_task
  wait_for_games $((games * 8 / 100)) "n1 is drained, and a task is killed"
  scontrol update nodename=n1 state=drain reason=check
  kill_a_task
  wait_for_games $((games * 15 / 100)) "the coordinator is killed"
  kill_coordinator
  go_on resume "$out"
  wait_for_games $((games * 25 / 100)) "a task is killed, and slurmctld is restarted"
  kill_a_task
  end "$dir/ctld.pid"
  sleep 3
  slurmctld
  wait_for_games $((games * 40 / 100)) "the coordinator is killed, and a task while there is none"
  kill_coordinator
  kill_a_task
  # Its state cannot be changed before it has told the new slurmctld of itself.
  wait_until 60 "n1 can be resumed" resume_n1
  go_on resume "$out"
  wait_for_games $((games * 60 / 100)) "a task is killed"
  kill_a_task
  wait "$coordinator" || fail "$name: the coordinator failed; see $out.log"
  coordinator=
  ((kills >= 3)) || status=4 fail "$name: only $kills tasks could be killed; more nodes a move are needed"
  echo "  $kills tasks were killed"
  for file in "$work/$name-here"/*; do
    # These tell when and how a run was played.
    case "${file##*/}" in manifest.toml | timings.csv | report.html) continue ;; esac
    cmp "$file" "$out/${file##*/}" || fail "$name: ${file##*/} differs"
    echo "  the same ${file##*/}"
  done
  # Jobs that were started twice or that the end came too early for.
  wait_until 30 "$name: an empty queue after the run" queue_is_empty
  tail -n 6 "$out.log"
}

check() {
  local nodes pairs
  case "$length" in
    long) nodes=15000 pairs=4 ;;
    short) nodes=6000 pairs=1 ;;
    *) usage ;;
  esac
  cd "$(dirname "$0")/.."
  if [ -z "${LMRLAB:-}" ]; then
    cargo build --release --locked -p lmrlab
    LMRLAB="${CARGO_TARGET_DIR:-target}/release/lmrlab"
  fi
  lmrlab="$(realpath "$LMRLAB")"
  work="$dir/check"
  coordinator=
  RANDOM=1
  trap '[ -z "$coordinator" ] || kill -9 "$coordinator" 2> /dev/null || true; (stop) || true' EXIT
  status=3 start
  mkdir -p "$work"
  printf 'kind = "slurm"\npairs = %s\nslots = 8\npoll = 1\n' "$pairs" > "$work/executor.toml"
  cat > "$work/match.toml" << FILE
name = "match"
format = "match"
hash_mib = 4
[openings]
file = "positions/book.epd"
[limit]
nodes = $nodes
[sprt]
elo0 = 0.0
elo1 = 30.0
[[engine]]
policy = "house"
[[engine]]
policy = "none"
FILE
  cat > "$work/race.toml" << FILE
name = "race"
format = "race"
pairs = 400
hash_mib = 4
[race]
goal = "best"
elo = 100.0
[openings]
file = "positions/book.epd"
[limit]
nodes = $((nodes / 5))
[[engine]]
policy = "house"
[[engine]]
policy = "none"
[[engine]]
policy = "mediocre-2007"
[[engine]]
policy = "stockfish-1.8"
FILE
  check_run match
  [ "$length" = short ] || check_run race
  trap - EXIT
  stop
  echo "all files are the same"
}

(($# >= 2)) || usage
action="$1" dir="$(realpath -m "$2")" length="${3:-long}"
export SLURM_CONF="$dir/slurm.conf"
case "$action" in
  start) start ;;
  stop) stop ;;
  check) check ;;
  *) usage ;;
esac
