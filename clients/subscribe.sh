#!/bin/sh
# Prints one page command a line, with socat and sed. Usage: subscribe.sh [background|observer]
# A background client is served while no reader's window has the focus; an observer sees every command of its user.
set -eu
role=${1:-background}
socket=
for candidate in "${PAGERD_SOCKET:-}" "${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/pagerd.sock}" /run/pagerd/pagerd.sock; do
  if [ -z "$socket" ] && [ -n "$candidate" ] && [ -S "$candidate" ]; then socket=$candidate; fi
done
[ -n "$socket" ] || { echo "subscribe.sh: no pagerd socket; is pagerd running?" >&2; exit 1; }

# pagerd pings whom it serves and stops serving who does not answer, so there is a pipe for each direction.
place=$(mktemp -d)
mkfifo "$place/to" "$place/from"
socat - "UNIX-CONNECT:$socket" <"$place/to" >"$place/from" &
peer=$!
trap 'kill "$peer" 2>/dev/null || true; rm -rf "$place"' EXIT
trap 'exit 143' HUP INT TERM
exec 3>"$place/to" 4<"$place/from"

printf '{"type":"subscribe","client":"subscribe.sh","role":"%s"}\n' "$role" >&3
while IFS= read -r line <&4; do
  case $line in
    *'"type":"ping"'*) echo '{"type":"pong"}' >&3 ;;
    *'"type":"command"'*) printf '%s\n' "$line" | sed 's/.*"command":"\([^"]*\)".*/\1/' ;;
    *'"type":"error"'* | *'"type":"bye"'*) printf '%s\n' "$line" >&2 ;;
  esac
done
