#!/usr/bin/env bash
# A Slurm cluster of three nodes with two processors each, all of them this machine; and runs on it that are disturbed.
#
#     scripts/slurm_loopback.sh start DIR          sets it up in a new folder, and says how to use it
#     scripts/slurm_loopback.sh stop DIR           stops it; nothing is left running
#     scripts/slurm_loopback.sh check DIR [short]  starts it, plays on it as docs/many-machines.md says while workers and
#                                                  coordinators are killed and a node is drained, compares the results
#                                                  with those of one process, and stops it; short: fewer nodes a move
#
# It needs Debian's packages slurm-wlm and munge, and root. It uses a key for munge and ports of its own, so that it disturbs
# nothing else. LMRLAB is the program to check; without it, it is built. SLURM_LOOPBACK_PORT is the first of eight ports.
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
  echo "    lmrlab run quickstart --threads 6 --executor 'srun -Q -n1 -c1 lmrlab resume {folder}'"
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

# The number of results so far, with the line of headings.
recorded() {
  cat "$out"/games.csv "$out"/*/games.csv 2> /dev/null | wc -l
}

# Waits until N results are there, or what was started has ended.
wait_for() {
  while is_alive "$started" && (($(recorded) < $1)); do sleep 0.1; done
  is_alive "$started" || status=4 fail "$name: it ended before $2; more nodes a move are needed, or see $out.log"
  echo "  at $(recorded) lines of results: $2"
}

# Kills one worker of the run, if one runs within some seconds: it plays a part below a folder, or with --part.
kill_a_worker() {
  local workers worker
  for _ in {1..50}; do
    mapfile -t workers < <(pgrep -f "^$lmrlab (resume|run .*--out) $out/[^ ]+" || true)
    if ((${#workers[@]})); then
      worker="${workers[RANDOM % ${#workers[@]}]}"
      if kill -9 "$worker" 2> /dev/null; then
        kills=$((kills + 1))
        return 0
      fi
    fi
    sleep 0.1
  done
}

drain_n1() {
  scontrol update nodename=n1 state=drain reason=check
}

resume_n1() {
  scontrol update nodename=n1 state=resume 2> /dev/null || true
  [[ "$(sinfo --noheader --nodes=n1 --format=%T)" =~ ^(idle|mixed|allocated)$ ]]
}

begin() {
  "$@" >> "$out.log" 2>&1 &
  started=$!
}

kill_coordinator() {
  local coordinator
  coordinator="$(pgrep -f "^$lmrlab (run .*--out $out|resume $out)( |$)")" || fail "$name: there is no coordinator"
  kill -9 "$coordinator"
  wait "$started" 2> /dev/null || true
}

# Compares the files of the run with those of one process.
compare() {
  local file
  ((kills >= $1)) || status=4 fail "$name: only $kills workers could be killed; more nodes a move are needed"
  for file in "$work/$tournament-here"/*; do
    # These tell when and how a run was played.
    case "${file##*/}" in manifest.toml | timings.csv | report.html) continue ;; esac
    cmp "$file" "$out/${file##*/}" || fail "$name: ${file##*/} differs"
  done
  wait_until 30 "$name: an empty queue after the run" queue_is_empty
  echo "  the same files, and $kills workers were killed"
}

# Plays a tournament in one process.
here() {
  tournament="$1"
  echo "$tournament, in one process"
  "$lmrlab" run "$work/$tournament.toml" --out "$work/$tournament-here" > "$work/$tournament-here.log" 2>&1 ||
    fail "see $work/$tournament-here.log"
  games=$(($(wc -l < "$work/$tournament-here/games.csv") - 1))
}

# Plays the tournament through an executor: NAME COMMAND [WRAPPER..]. The wrapper starts the coordinator.
sequential() {
  name="$1" out="$work/$1" kills=0
  local command="$2"
  shift 2
  printf "command = '%s'\nparts = 4\npairs = %s\n" "$command" "$pairs" > "$work/$name.toml"
  echo "$name: $* lmrlab run $tournament.toml --executor '$command' ($games games)"
  begin "$@" "$lmrlab" run "$work/$tournament.toml" --executor "$work/$name.toml" --out "$out"
  wait_for $((games * 5 / 100)) "a worker is killed"
  kill_a_worker
  wait_for $((games * 15 / 100)) "n1 is drained, and a worker is killed"
  drain_n1
  kill_a_worker
  wait_for $((games * 30 / 100)) "the coordinator is killed"
  kill_coordinator
  begin "$@" "$lmrlab" resume "$out"
  wait_for $((games * 45 / 100)) "the coordinator is killed again"
  kill_coordinator
  wait_until 60 "n1 can be resumed" resume_n1
  begin "$@" "$lmrlab" resume "$out"
  wait_for $((games * 60 / 100)) "a worker is killed"
  kill_a_worker
  wait "$started" || fail "$name: the coordinator failed; see $out.log"
  compare 2
  [ ! -e "$out/parts" ] || fail "$name: parts are left"
}

# Plays the tournament as an array of parts, and merges them. The same array plays the parts of killed tasks again.
fixed() {
  local array
  name=array out="$work/array-parts" kills=0
  echo "$name: an array of four parts ($games games)"
  array=(sbatch -Q --wait --array=1-4 --requeue -o "$work/array-%a.log" --wrap
    "$lmrlab run $work/$tournament.toml --part \$SLURM_ARRAY_TASK_ID/4 --out $out/\$SLURM_ARRAY_TASK_ID")
  begin "${array[@]}"
  wait_for 4 "a worker is killed, and n1 is drained"
  kill_a_worker
  drain_n1
  wait_for 8 "a worker is killed"
  kill_a_worker
  ! wait "$started" || fail "$name: the array does not say that tasks were killed"
  wait_until 60 "n1 can be resumed" resume_n1
  "${array[@]}" || fail "$name: the second array failed; see $work/array-*.log"
  "$lmrlab" merge "$out"/* --out "$work/array" > "$out.log" 2>&1 || fail "see $out.log"
  out="$work/array"
  compare 2
}

# Plays a small tournament with jobs that sbatch waits for.
waiting() {
  name=sbatch out="$work/sbatch" kills=0
  echo "$name: sbatch --wait"
  "$lmrlab" run "$work/$tournament.toml" --threads 4 --out "$out" --executor \
    "sbatch -Q --wait -n1 -c1 --requeue -o /dev/null --wrap \"$lmrlab resume {folder}\"" > "$out.log" 2>&1 || fail "see $out.log"
  compare 0
}

# Writes a tournament: NAME FORMAT PAIRS ENGINE.. The tables of its kind come from standard input.
tournament() {
  local name="$1" format="$2" pairs="$3"
  shift 3
  {
    printf 'name = "%s"\nformat = "%s"\npairs = %s\nhash_mib = 4\n' "$name" "$format" "$pairs"
    printf '[openings]\nfile = "positions/book.epd"\n[limit]\nnodes = %s\n' "$nodes"
    cat
    printf '[[engine]]\npolicy = "%s"\n' "$@"
  } > "$work/$name.toml"
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
  RANDOM=1
  trap '[ -z "${started:-}" ] || kill -9 "$started" 2> /dev/null || true; (stop) || true' EXIT
  status=3 start
  mkdir -p "$work"
  tournament test match 2000 house none << 'FILE'
[sprt]
elo0 = 0.0
elo1 = 30.0
FILE
  nodes=$((nodes / 5)) tournament race race 400 house none mediocre-2007 stockfish-1.8 << 'FILE'
[race]
goal = "best"
elo = 100.0
FILE
  tournament match match 16 house none < /dev/null
  here test
  sequential allocation "srun -Q -N1 -n1 -c1 --exact $lmrlab resume {folder}" salloc -Q -n4
  here race
  sequential jobs "srun -Q -n1 -c1 $lmrlab resume {folder}"
  here match
  fixed
  waiting
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
