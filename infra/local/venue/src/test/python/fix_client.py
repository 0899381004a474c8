"""Trades at the paper venue with simplefix, which shares no code with the venue: PORT."""

import socket
import sys

import simplefix


class Client:
    def __init__(self, port, account):
        self.account = account
        self.number = 0
        self.parser = simplefix.FixParser()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)

    def send(self, msg_type, *fields):
        self.number += 1
        message = simplefix.FixMessage()
        message.append_pair(8, "FIX.4.4", header=True)
        message.append_pair(35, msg_type, header=True)
        message.append_pair(34, self.number, header=True)
        message.append_pair(49, self.account, header=True)
        message.append_pair(56, "VENUE", header=True)
        message.append_utc_timestamp(52, precision=3, header=True)
        for tag, value in fields:
            message.append_pair(tag, value)
        self.socket.sendall(message.encode())

    def receive(self):
        while True:
            message = self.parser.get_message()
            if message is not None:
                return message
            data = self.socket.recv(4096)
            assert data, "the venue closed the connection"
            self.parser.append_buffer(data)


def expect(message, **wanted):
    for tag, value in wanted.items():
        found = message.get(int(tag[1:]))
        assert found == value.encode(), f"{tag} is {found}, not {value}, in {message}"


client = Client(int(sys.argv[1]), "python")
client.send("A", (98, 0), (108, 30), (554, "secret"))
expect(client.receive(), t35="A", t34="1", t49="VENUE", t56="python")
time = simplefix.FixMessage()
time.append_utc_timestamp(60, precision=3)
client.send("D", (11, "first"), (55, "AAPL"), (54, 1), (38, 2), (40, 1), (60, time.get(60)))
expect(client.receive(), t35="8", t150="0", t39="0", t11="first")
expect(client.receive(), t35="8", t150="F", t39="2", t14="2", t31="100.01")
client.send("5")
expect(client.receive(), t35="5")
print("simplefix and the venue agree")
