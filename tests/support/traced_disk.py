"""A disk rebuilt from a trace of what a process wrote and synced: what a power cut at any moment may leave of it.

Laws
1. What was synced is there. What was not is there, or not, or in part: each write on its own, in any order.
2. A new name, another name or no name is kept for certain only when its folder, or the file it names, was synced
   (SQLite syncs the folder of a log that it begins).
3. Locks and shared memory are no part of a disk: `.lock` and `-shm` are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

TRACED = "openat,pwrite64,write,fdatasync,fsync,ftruncate,rename,unlink"
# More than the longest single write of SQLite's: a page of the file.
TRACED_BYTES = 8_192
Image = dict[str, bytes]

_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
_FILE = re.compile(r"(\d+)<((?:\\x[0-9a-f]{2})*)>")


@dataclass(frozen=True, slots=True)
class Call:
    """A system call that did what it was asked. path: the file or folder; data: bytes written, or the other name."""

    name: str
    path: str
    data: bytes = b""
    offset: int = 0


def calls(trace: Path) -> Iterator[Call]:
    """The calls of a trace that made, changed, named or synced something, and writes to standard output."""
    for line in trace.read_text().splitlines():
        found = _LINE.match(line)
        if found is None or found[3].startswith("-"):
            continue
        name, arguments = found[1], found[2]
        texts = [_bytes(text) for text, cut in _TEXT.findall(arguments) if not _refuse(cut, line)]
        if name == "openat":
            if "O_CREAT" in arguments:
                yield Call("create", texts[0].decode())
        elif name in ("rename", "unlink"):
            yield Call(name, texts[0].decode(), texts[-1])
        else:
            file = _FILE.match(arguments)
            assert file is not None, line
            path = "stdout" if file[1] == "1" else _bytes(file[2]).decode()
            numbers = re.findall(r", (\d+)", arguments)
            yield Call(name, path, texts[0] if texts else b"", int(numbers[-1]) if numbers else 0)


def _refuse(cut: str, line: str) -> bool:
    assert not cut, f"more was written than the trace holds: {line[:200]}"
    return False


def _bytes(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal.replace("\\x", ""))


@dataclass(slots=True)
class _Inode:
    """A file: what a cut leaves for certain, and what was done to it since."""

    synced: bytes = b""
    since: list[Call] = field(default_factory=list)

    def content(self, kept: list[Call]) -> bytes:
        content = bytearray(self.synced)
        for call in kept:
            if call.name == "ftruncate":
                del content[call.offset :]
                content.extend(bytes(call.offset - len(content)))
            else:
                content.extend(bytes(max(0, call.offset - len(content))))
                content[call.offset : call.offset + len(call.data)] = call.data
        return bytes(content)


class TracedDisk:
    """One folder, from empty."""

    def __init__(self, folder: Path) -> None:
        """Nothing is in the folder yet."""
        self._folder = folder
        self._names: dict[str, _Inode] = {}
        self._synced_names: dict[str, _Inode] = {}

    def apply(self, call: Call) -> bool:
        """Do what the call did; whether it touched the disk."""
        path = Path(call.path)
        if call.name in ("fsync", "fdatasync") and path == self._folder:
            self._synced_names = dict(self._names)
            return True
        if path.parent != self._folder or path.name.endswith((".lock", "-shm")):
            return False
        match call.name:
            case "create":
                self._names.setdefault(path.name, _Inode())
            case "rename":
                self._names[Path(call.data.decode()).name] = self._names.pop(path.name)
            case "unlink":
                del self._names[path.name]
            case "fsync" | "fdatasync":
                inode = self._names[path.name]
                inode.synced, inode.since = inode.content(inode.since), []
            case "write":  # goes on where the file ends; nobody here writes it otherwise
                inode = self._names[path.name]
                inode.since.append(replace(call, offset=len(inode.content(inode.since))))
            case _:
                self._names[path.name].since.append(call)
        return True

    def everything(self) -> Image:
        """All that was done, as if it had just been synced."""
        return {name: inode.content(inode.since) for name, inode in self._names.items()}

    def synced_only(self) -> Image:
        """What is there for certain, and nothing else."""
        return {name: inode.synced for name, inode in self._synced_names.items()}

    def some(self, rng: Random) -> Image:
        """Some of what was not synced, as the disk happened to write it; every name may or may not be the new one."""
        names = dict(self._synced_names)
        for name in sorted(self._names.keys() | self._synced_names.keys()):
            if rng.random() < 0.5:
                _keep(names, name, self._names.get(name))
        return {
            name: inode.content([call for call in inode.since if rng.random() < 0.5]) for name, inode in names.items()
        }


def _keep(names: dict[str, _Inode], name: str, inode: _Inode | None) -> None:
    if inode is None:
        names.pop(name, None)
    else:
        names[name] = inode
