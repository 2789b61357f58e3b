"""People at the control socket, each with a password of his own: plain JSON lines, none of the program's code."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

# Generous: a password takes its time, and so does a loaded machine.
ANSWER_LIMIT_S = 40.0
PASSWORD = "correct horse battery staple"


class NoError(Exception):
    """The daemon's answer is no; the text is its reason."""


def ask(control: Path, op: str, token: str | None = None, **args: object) -> Any:
    """One request on a connection of its own; its result. NoError when it is refused."""
    request = {"v": 1, "id": 1, "op": op, "args": args, **({} if token is None else {"token": token})}
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWER_LIMIT_S)
        line.connect(str(control))
        line.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(line.makefile("rb").readline())
    if not answer["ok"]:
        raise NoError(answer["error"])
    return answer["result"]


class Person:
    """An operator, made by whoever runs the tests, who shows who he is with every act."""

    def __init__(self, control: Path, name: str, role: str) -> None:
        self._control = control
        self._name = name
        ask(control, "operator.add", name=name, role=role, password=PASSWORD)

    def does(self, op: str, **args: object) -> Any:
        """An act in his name; NoError when it is refused."""
        token = ask(self._control, "login", name=self._name, password=PASSWORD)["token"]
        return ask(self._control, op, token, **args)
