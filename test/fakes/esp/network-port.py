"""Serves the pseudo-terminal of a board by RFC 2217: `network-port.py TERMINAL CONTROL`.

Prints the number of its port. The lines for reset, which the terminal does not have, go to the board's control socket.
"""

import socket
import sys
import threading

import serial
import serial.rfc2217


class Terminal(serial.Serial):
    """A terminal whose DTR and RTS are those of the board."""

    cts = dsr = ri = cd = False

    def tell(self, line, is_on):
        control.sendall(f"{line} {int(is_on)}\n".encode())
        control.recv(16)

    def _update_dtr_state(self):
        self.tell("dtr", self._dtr_state)

    def _update_rts_state(self):
        self.tell("rts", self._rts_state)


class Client:
    """What the manager of a port writes to."""

    def __init__(self, connection):
        self.write = connection.sendall


def send_all(terminal, connection, manager):
    try:
        while True:
            data = terminal.read(terminal.in_waiting or 1)
            if data:
                connection.sendall(b"".join(manager.escape(data)))
    except (OSError, serial.SerialException):
        pass


control = socket.socket(socket.AF_UNIX)
control.connect(sys.argv[2])
terminal = Terminal(sys.argv[1], 115200, timeout=0.02)
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
connection, _ = server.accept()
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
manager = serial.rfc2217.PortManager(terminal, Client(connection))
threading.Thread(target=send_all, args=(terminal, connection, manager), daemon=True).start()
while data := connection.recv(4096):
    terminal.write(b"".join(manager.filter(data)))
