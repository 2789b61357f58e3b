"""Verifies an audit package of a jackpot ledger. One file, Python's standard library alone:

    python3 verify_package.py FOLDER --key PUBLIC_KEY

It computes the hash chain anew, checks every seal's Ed25519 signature (RFC 8032) against the public key that you were
given when the controller was approved, and adds up every pool from the first row. It imports nothing of the program
that wrote the ledger. Exit code 0: all in order; 1: something is wrong, each fault on a line; 2: no package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

_ATOMS_PER_MINOR = 1_000_000
_NEVER_BELOW_ZERO = ("pool:", "reserve:", "overflow:")
_MAX_FAULTS = 50

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


class Audit:
    """One pass over a package; `faults` are sentences."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder = folder
        self._key = key.lower()
        self.summary: dict[str, Any] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        lines = (folder / "seals.jsonl").read_text(encoding="utf-8").splitlines()
        self.seals: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.faults: list[str] = []
        self.rows = 0
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
        sealed = {int(seal["seq"]): seal for seal in self.seals}
        previous = hashlib.sha256((self.summary["site"] + self.summary["ledger"]).encode()).digest()
        with (self._folder / "rows.jsonl").open("rb") as rows:
            for line in rows:
                body = line.rstrip(b"\n")
                row = json.loads(body)
                archived = row["row"] == "archived"
                previous = bytes.fromhex(row["hash"]) if archived else hashlib.sha256(previous + body).digest()
                self.rows += 1
                self._archive(row)
                self._row(row)
                seal = sealed.pop(self.rows, None)
                if seal is not None and seal["hash"] != previous.hex():
                    self._find(
                        f"the ledger was rewritten before row {self.rows}: day {seal['day']} was sealed otherwise"
                    )
        if (self.rows, previous.hex()) != (self.summary["rows"], self.summary["head"]):
            self._find("the rows do not lead to the head that the summary names")
        for seq in sorted(sealed):
            self._find(f"row {seq} of day {sealed[seq]['day']} was sealed and is not in the package")
        for seal in self.seals:
            self._seal(seal)

    def _find_archives(self) -> None:
        """What the chain says of payloads that left it; said later than the rows that they left."""
        with (self._folder / "rows.jsonl").open("rb") as rows:
            said = [json.loads(line) for line in rows if b'"kind":"facts_archived"' in line]
        self._archives = [row for row in reversed(said) if row["row"] == "entry"]

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
        if row.get("kind") == "pool_opened":
            self.exponents[row["params"]["pool"]] = row["params"]["exponent"]
        postings = row.get("postings", ())
        if sum(int(posting["atoms"]) for posting in postings):
            self._find(f"row {self.rows}: its postings do not sum to zero")
        for posting in postings:
            self.balances[posting["account"]] += int(posting["atoms"])
        for account in {posting["account"] for posting in postings}:
            if account.startswith(_NEVER_BELOW_ZERO) and self.balances[account] < 0:
                self._find(f"row {self.rows}: {account} falls below zero")

    def _seal(self, seal: dict[str, Any]) -> None:
        signed = {name: value for name, value in seal.items() if name != "signature"}
        message = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        if seal["key"] != self._key:
            self._find(f"the seal of day {seal['day']} is of another key: {seal['key']}")
        elif (seal["site"], seal["ledger"]) != (self.summary["site"], self.summary["ledger"]):
            self._find(f"the seal of day {seal['day']} is of another ledger")
        elif not is_signed(bytes.fromhex(self._key), message, bytes.fromhex(seal["signature"])):
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


def main(argv: list[str] | None = None) -> int:
    """Verify a package and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the package")
    parser.add_argument("--key", required=True, metavar="HEX", help="the public key of the seals, 64 digits")
    args = parser.parse_args(argv)
    try:
        audit = Audit(args.folder, args.key)
        audit.run()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"{args.folder} is no whole package: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    summary, seals = audit.summary, audit.seals
    print(f"site {summary['site']}, ledger {summary['ledger']}: {audit.rows:,} rows, {len(seals)} sealed days")
    for account in sorted(audit.balances):
        print(f"  {audit.amount(account):>26}  {account}")
    if audit.provisional:
        days = ", ".join(map(str, sorted(audit.provisional)))
        print(f"provisional, as the clock was in doubt: gaming day {days}; amounts and order stand")
    for fault in audit.faults:
        print(fault)
    if audit.archived:
        print(f"{audit.archived:,} rows are facts whose payloads are in archives: here stand their hashes alone")
    proved = max((int(seal["seq"]) for seal in seals), default=0)
    print(f"rows 1 to {proved:,} are under a seal" if proved else "no row is under a seal")
    print("NOT in order" if audit.faults else "in order")
    return 1 if audit.faults else 0


if __name__ == "__main__":
    sys.exit(main())
