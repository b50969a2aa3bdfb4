#!/usr/bin/env python3
"""Prints one page command a line; Python's standard library is all it needs.

Usage: subscribe.py [background|observer|reader]

With "reader" it claims the focus at once and keeps it until it ends, as a full-screen application would.
"""

import json
import os
import socket
import sys


def connect():
    """The first socket that accepts, in the order that every client uses."""
    places = [os.environ.get("PAGERD_SOCKET"), os.environ.get("XDG_RUNTIME_DIR"), "/run/pagerd/pagerd.sock"]
    if places[1]:
        places[1] = os.path.join(places[1], "pagerd.sock")
    for place in filter(None, places):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(place)
            return connection
        except OSError:
            connection.close()
    sys.exit("subscribe.py: no pagerd socket; is pagerd running?")


def main():
    role = sys.argv[1] if len(sys.argv) > 1 else "background"
    connection = connect()

    def say(**message):
        connection.sendall(json.dumps(message).encode() + b"\n")

    say(type="subscribe", client="subscribe.py", role=role)
    if role == "reader":
        say(type="focus", value=True)
    for line in connection.makefile("r", encoding="utf-8"):
        message = json.loads(line)
        kind = message.get("type")
        if kind == "ping":
            # Who does not answer within three seconds is not served any more.
            say(type="pong")
        elif kind == "command":
            print(message["command"], flush=True)
        elif kind in ("error", "bye"):
            print(message.get("message") or message.get("reason"), file=sys.stderr)
        # Types and keys that it does not know it ignores: the protocol may grow.


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
