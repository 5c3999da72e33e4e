"""Bridges a pseudo-terminal to standard input and output, which Node cannot open itself.

Messages in both directions: a letter, four bytes of length (big endian), the payload.
Out: P path of the terminal, S speed that the client set, D bytes, O opened, C closed. In: D bytes, H hang up.
"""

import os
import pty
import select
import struct
import sys
import termios
import tty

SPEEDS = {getattr(termios, name): int(name[1:]) for name in dir(termios) if name[0] == "B" and name[1:].isdigit()}


def say(letter, payload=b""):
    data = letter + struct.pack(">I", len(payload)) + payload
    while data:
        data = data[os.write(1, data) :]


def read_exactly(count):
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


def main():
    master, slave = pty.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    say(b"P", path.encode())
    speed = 0
    is_open = False
    while True:
        # A terminal that nobody has open would wake the poll again and again: it is asked each 20 ms instead.
        poller = select.poll()
        poller.register(0, select.POLLIN)
        if is_open:
            poller.register(master, select.POLLIN)
        ready = dict(poller.poll(None if is_open else 20))
        if not is_open and is_in_use(master):
            is_open = True
            say(b"O")
        if 0 in ready:
            letter, length = read_exactly(1), struct.unpack(">I", read_exactly(4))[0]
            payload = read_exactly(length)
            if letter == b"H":
                os.close(master)
                sys.exit(0)
            while payload and is_in_use(master):
                payload = payload[os.write(master, payload) :]
        if ready.get(master, 0) & select.POLLIN:
            current = SPEEDS.get(termios.tcgetattr(master)[5], 0)
            if current != speed:
                speed = current
                say(b"S", str(speed).encode())
            say(b"D", os.read(master, 65536))
        elif ready.get(master, 0) & select.POLLHUP:
            is_open = False
            say(b"C")


def is_in_use(master):
    poller = select.poll()
    poller.register(master, 0)
    return not any(what & select.POLLHUP for _, what in poller.poll(0))


try:
    main()
except BrokenPipeError:
    pass
