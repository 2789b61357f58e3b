"""Verifies an audit package of a jackpot ledger. One file, Python's standard library alone:

    python3 verify_package.py FOLDER --key PUBLIC_KEY [--seals FILE]

It computes the hash chain anew, checks every seal's Ed25519 signature (RFC 8032) against the public key that you were
given when the controller was approved, works out the history of the configuration from the rows, and adds up every
pool from the first row. Seals that you kept yourself (a line each, as in ledger.db.seals) must fit too: say --seals.
A key that was changed is said beside the one before it: --key OLD --key NEW. It imports nothing of the program that
wrote the ledger. Exit code 0: all in order; 1: something is wrong or unproved, each fault on a line; 2: no package.
"""

from __future__ import annotations

import argparse
import errno
import hashlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, BinaryIO

_ATOMS_PER_MINOR = 1_000_000
_NEVER_BELOW_ZERO = ("pool:", "reserve:", "overflow:")
_MAX_FAULTS = 50
_MOST_DECIMALS = 9  # no currency has more than four
_HISTORY = "configuration.jsonl"
_HISTORY_KINDS = (b'"kind":"controller_started"', b'"kind":"site_configured"', b'"kind":"pool_opened"')

# ---- Ed25519: the curve -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo p (RFC 8032, section 5.1)

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
Point = tuple[int, int, int, int]  # X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z
_NEUTRAL: Point = (0, 1, 1, 0)


def _add(a: Point, b: Point) -> Point:
    low, high = (a[1] - a[0]) * (b[1] - b[0]) % _P, (a[1] + a[0]) * (b[1] + b[0]) % _P
    cross, ends = 2 * a[3] * b[3] * _D % _P, 2 * a[2] * b[2] % _P
    e, f, g, h = high - low, ends - cross, ends + cross, high + low
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor: int, point: Point) -> Point:
    product = _NEUTRAL
    while factor:
        if factor & 1:
            product = _add(product, point)
        point = _add(point, point)
        factor >>= 1
    return product


def _equal(a: Point, b: Point) -> bool:
    return (a[0] * b[2] - b[0] * a[2]) % _P == 0 and (a[1] * b[2] - b[1] * a[2]) % _P == 0


def _point(data: bytes) -> Point | None:
    """A point from its 32 bytes: y, and the parity of x in the highest bit; None when there is no such point."""
    number = int.from_bytes(data, "little")
    y, parity = number & (2**255 - 1), number >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and parity):
        return None
    if x & 1 != parity:
        x = _P - x
    return x, y, 1, x * y % _P


_BASE = _point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes is the key's over the message."""
    if len(key) != 32 or len(signature) != 64:  # RFC 8032
        return False
    holder, commitment = _point(key), _point(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if holder is None or commitment is None or answer >= _ORDER or _BASE is None:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % _ORDER
    return _equal(_times(answer, _BASE), _add(commitment, _times(challenge, holder)))


# ---- the package


def _parsed(text: bytes, where: str) -> dict[str, Any]:
    """The JSON object that a file holds at a place; ValueError for anything else, however deep."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} is no JSON") from error
    if not isinstance(found, dict):
        raise ValueError(f"{where} is no JSON object")  # noqa: TRY004  # of the file, not of a caller
    return found


def _opened(path: Path) -> BinaryIO:
    """A file; at once OSError for a pipe, which would be waited for, and a device, which may have no end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "a pipe or a device is no file", str(path))
    return path.open("rb")


def _content(path: Path) -> bytes:
    with _opened(path) as file:
        return file.read()


def _seals_in(path: Path) -> list[dict[str, Any]]:
    """The seals of a file, a line each."""
    lines = _content(path).splitlines()
    return [_parsed(line, f"line {at} of {path.name}") for at, line in enumerate(lines, 1) if line]


class Audit:
    """One pass over a package; `faults` are sentences. `keys`: those given; `kept`: the reader's own file of seals."""

    def __init__(self, folder: Path, keys: tuple[str, ...] = (), kept: Path | None = None) -> None:
        self._folder = folder
        self._keys = keys
        self.faults: list[str] = []
        self.summary = _parsed(_content(folder / "summary.json"), "summary.json")
        self.seals: list[dict[str, Any]] = []
        if (folder / "seals.jsonl").exists():
            self.seals = _seals_in(folder / "seals.jsonl")
        else:
            self._find("seals.jsonl is not in the package")
        if kept is not None:
            self.seals += [seal for seal in _seals_in(kept) if seal not in self.seals]
        self._history = b""
        self.rows = self.closed_days = 0
        self.balances: dict[str, int] = defaultdict(int)
        self.exponents: dict[str, int] = {}
        self.provisional: set[int] = set()  # gaming days whose times are in doubt
        self._facts: dict[tuple[str, int], int] = {}
        self.archived = 0
        self._archives: list[dict[str, Any]] = []  # to come, the next one last
        self._leaving: list[int] = []
        self._newest: dict[Any, int] = {}

    def run(self) -> None:
        """Everything."""
        self._find_archives()
        sealed: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for seal in self.seals:
            sealed[int(seal["seq"])].append(seal)
        previous = hashlib.sha256((self.summary["site"] + self.summary["ledger"]).encode()).digest()
        with _opened(self._folder / "rows.jsonl") as rows:
            for line in rows:
                body = line.rstrip(b"\n")
                row = _parsed(body, f"row {self.rows + 1} of rows.jsonl")
                archived = row["row"] == "archived"
                previous = bytes.fromhex(row["hash"]) if archived else hashlib.sha256(previous + body).digest()
                self.rows += 1
                self._archive(row)
                self._row(row)
                if any(kind in body for kind in _HISTORY_KINDS):
                    self._history += b'{"seq":%d,"row":%b}\n' % (self.rows, body)
                for seal in sealed.pop(self.rows, ()):
                    if seal["hash"] != previous.hex():
                        self._find(
                            f"the ledger was rewritten before row {self.rows}: day {seal['day']} was sealed otherwise"
                        )
        if (self.rows, previous.hex()) != (self.summary["rows"], self.summary["head"]):
            self._find("the rows do not lead to the head that the summary names")
        for seq in sorted(sealed):
            self._find(f"row {seq} of day {sealed[seq][0]['day']} was sealed and is not in the package")
        self._check_history()
        self._check_seals()

    def _find_archives(self) -> None:
        """What the chain says of payloads that left it; said later than the rows that they left."""
        with _opened(self._folder / "rows.jsonl") as rows:
            numbered = enumerate(rows, 1)
            said = [(at, line) for at, line in numbered if b'"kind":"facts_archived"' in line]
        parsed = [_parsed(line, f"row {at} of rows.jsonl") for at, line in reversed(said)]
        self._archives = [row for row in parsed if row["row"] == "entry"]

    def _archive(self, row: dict[str, Any]) -> None:
        """Of the rows of an archive those may be empty that the chain says: all facts but the newest of each kind."""
        archive = self._archives[-1] if self._archives else None
        inside = archive is not None and archive["first"] <= self.rows <= archive["last"]
        if row["row"] == "archived":
            self.archived += 1
            if not inside:
                self._find(f"row {self.rows} is empty, and no archive is registered that has it")
        if archive is None or not inside:
            return
        if row["row"] != "entry":
            self._leaving.append(self.rows)
        if row["row"] == "fact":
            self._newest[row["source"], row["journal"]] = self.rows
            if row.get("grade") == "sequenced" and row.get("raw"):
                self._newest[row["source"]] = self.rows
        if self.rows == archive["last"]:
            kept = set(self._newest.values())
            gone = b"".join(b"%d\n" % seq for seq in self._leaving if seq not in kept)
            if hashlib.sha256(gone).hexdigest() != archive["rows"]:
                self._find(f"of the rows {archive['first']} to {archive['last']} others are empty than the chain says")
            self._archives.pop()
            self._leaving, self._newest = [], {}

    def _row(self, row: dict[str, Any]) -> None:
        if row["row"] == "archived":
            return
        if row["row"] == "fact":
            name = (row["source"], row["journal"])
            if row["seq"] <= self._facts.get(name, -1):
                self._find(f"row {self.rows}: fact {row['seq']} of {row['source']} is there twice")
            self._facts[name] = row["seq"]
            return
        if row.get("kind") == "clock_jumped" or (row.get("kind") == "clock_noted" and not row["synchronised"]):
            self.provisional.add(int(row["day"]))
        if row.get("kind") == "day_closed":
            self.closed_days += 1
        if row.get("kind") == "pool_opened":
            exponent = row["params"]["exponent"]
            if exponent not in range(_MOST_DECIMALS + 1):
                raise ValueError(f"row {self.rows}: no currency has {exponent} decimals")
            self.exponents[row["params"]["pool"]] = int(exponent)
        postings = row.get("postings", ())
        if sum(int(posting["atoms"]) for posting in postings):
            self._find(f"row {self.rows}: its postings do not sum to zero")
        for posting in postings:
            self.balances[posting["account"]] += int(posting["atoms"])
        for account in {posting["account"] for posting in postings}:
            if account.startswith(_NEVER_BELOW_ZERO) and self.balances[account] < 0:
                self._find(f"row {self.rows}: {account} falls below zero")

    def _check_history(self) -> None:
        """The history of the configuration is what the rows say, byte for byte."""
        path = self._folder / _HISTORY
        if not path.exists():
            self._find(f"{_HISTORY} is not in the package")
            return
        said, found = self._history.splitlines(), _content(path)
        if found == self._history:
            return
        lines = found.splitlines()
        pairs = enumerate(zip(lines, said, strict=False), 1)
        at = next((at for at, (one, other) in pairs if one != other), min(len(lines), len(said)) + 1)
        self._find(f"{_HISTORY} is not what the rows say of the configuration, from its line {at} on")

    def _check_seals(self) -> None:
        if self._keys and self.closed_days and not self.seals:
            self._find(
                f"nothing here is signed: {self.closed_days} gaming days are closed and no seal of any is here,"
                " so the rows may have been rewritten; say --seals with those that you kept"
            )
        if self.seals and not self._keys:
            self._find("whether the seals hold is not known: say --key with the public key that you were given")
            return
        for seal in self.seals:
            self._seal(seal)

    def _seal(self, seal: dict[str, Any]) -> None:
        signed = {name: value for name, value in seal.items() if name != "signature"}
        message = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        if seal["key"] not in self._keys:
            self._find(f"the seal of day {seal['day']} is of another key: {seal['key']}")
        elif (seal["site"], seal["ledger"]) != (self.summary["site"], self.summary["ledger"]):
            self._find(f"the seal of day {seal['day']} is of another ledger")
        elif not is_signed(bytes.fromhex(seal["key"]), message, bytes.fromhex(seal["signature"])):
            self._find(f"the seal of day {seal['day']} is forged: its signature does not hold")

    def _find(self, text: str) -> None:
        if len(self.faults) < _MAX_FAULTS:
            self.faults.append(text)

    def amount(self, account: str) -> str:
        """An account in its pool's currency, with all its decimals."""
        exponent = self.exponents.get(account.partition(":")[2], 2)
        scale = 10**exponent * _ATOMS_PER_MINOR
        whole, rest = divmod(abs(self.balances[account]), scale)
        digits = f"{rest:0{len(str(scale)) - 1}d}"
        kept = digits[:exponent] + digits[exponent:].rstrip("0")
        sign = "-" if self.balances[account] < 0 else ""
        return f"{sign}{whole}.{kept}" if kept else f"{sign}{whole}"


def _key(text: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError("a public key is 64 hexadecimal digits")
    return text.lower()


def _report(audit: Audit) -> list[str]:
    """What was found, a line each; the verdict is the last."""
    summary, seals = audit.summary, audit.seals
    lines = [f"site {summary['site']}, ledger {summary['ledger']}: {audit.rows:,} rows, {len(seals)} sealed days"]
    lines += [f"  {audit.amount(account):>26}  {account}" for account in sorted(audit.balances)]
    if audit.provisional:
        days = ", ".join(map(str, sorted(audit.provisional)))
        lines.append(f"provisional, as the clock was in doubt: gaming day {days}; amounts and order stand")
    lines += audit.faults
    if audit.archived:
        lines.append(f"{audit.archived:,} rows are facts whose payloads are in archives: here stand their hashes alone")
    proved = max((int(seal["seq"]) for seal in seals), default=0)
    lines.append(f"rows 1 to {proved:,} are under a seal" if proved else "no row is under a seal")
    lines.append("NOT in order" if audit.faults else "in order")
    return [line if line.isprintable() else ascii(line) for line in lines]  # a name of the package is no verdict


def main(argv: list[str] | None = None) -> int:
    """Verify a package and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the package")
    parser.add_argument(
        "--key",
        type=_key,
        action="append",
        default=[],
        metavar="HEX",
        help="the public key of the seals, 64 digits; again for each key that came later",
    )
    parser.add_argument("--seals", type=Path, metavar="FILE", help="seals that you kept: each must fit the rows")
    args = parser.parse_args(argv)
    try:
        audit = Audit(args.folder, tuple(args.key), args.seals)
        audit.run()
        lines = _report(audit)
    except OSError as error:
        print(f"{args.folder} is no whole package: {error.strerror}: {error.filename}", file=sys.stderr)
        return 2
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        said = str(error) if type(error) is ValueError else f"it holds what no export writes ({error!r})"
        print(f"{args.folder} is NOT in order: {ascii(said)[1:-1]}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 1 if audit.faults else 0


if __name__ == "__main__":
    sys.exit(main())
