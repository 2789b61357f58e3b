"""The control socket: JSON lines, one request and one response each (design section 4).

Laws
1. `{"v":1,"id":..,"op":..,"args":{..},"token":..}` is answered by `{"id":..,"ok":true,"result":..}` or
   `{"id":..,"ok":false,"error":"..","code":".."}`; an id is answered once.
2. An operation's arguments are a model of its own; what it does not know is refused, never ignored.
3. A line is bounded, so that a client costs no more memory than that.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import ConfigDict, Field, StringConstraints, ValidationError

from jackpotd.messages.base import Message, MessageError, first_fault, from_json

VERSION: Final = 1
# An operation's arguments are a few ids and a reason; a listing comes back in one line too, and is longer.
MAX_REQUEST_BYTES = 16 * 1024
# Rows emptied in one commit, during which everything else waits: some milliseconds, and their numbers fit a request.
MAX_DROPPED_ROWS = 200

Role = Literal["dealer-assist", "supervisor", "surveillance", "accounting", "technician", "regulator"]
_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
# What a person writes is shown on terminals: no control character, which could move their cursor, and no other order.
_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
# Why a person acts: never empty, and short enough for a line of a report.
_Why = Annotated[str, StringConstraints(min_length=3, max_length=500, strip_whitespace=True, pattern=_LINE)]
_Password = Annotated[str, StringConstraints(min_length=8, max_length=1_024)]
# What is tried need not be long enough to be set.
_TriedPassword = Annotated[str, StringConstraints(min_length=1, max_length=1_024)]
_RequestId = Annotated[int, Field(ge=0)] | Annotated[str, StringConstraints(min_length=1, max_length=64)]


# Why the answer is no, for programs; the error says it to people.
# bad_request: not a request, or an operation that nobody knows; login: password or token; not_allowed: not for this
# caller; refused: the rules or the ledger's state refuse it; configuration: the file has faults; busy: come again.
Code = Literal["bad_request", "login", "not_allowed", "refused", "configuration", "busy"]


class Request(Message):
    """What a client asks. `token` names the operator where the peer's uid does not."""

    model_config = ConfigDict(extra="forbid")

    v: Literal[1] = VERSION
    id: _RequestId
    op: Annotated[str, StringConstraints(pattern=r"^[a-z]+(\.[a-z]+)?$", max_length=40)]
    args: dict[str, Any] = Field(default_factory=dict)
    token: Annotated[str, StringConstraints(max_length=256)] | None = Field(default=None, repr=False)


class Response(Message):
    """What the daemon answers. `id` None: the request could not even be read."""

    id: _RequestId | None
    ok: bool
    result: Any = None
    error: str | None = None
    code: Code | None = None


class Args(Message):
    """The arguments of an operation."""

    model_config = ConfigDict(extra="forbid")


class NoArgs(Args):
    """status, hit.list, alarm.list, device.list, operator.list, reload"""


class HitArgs(Args):
    """hit.approve"""

    hit: _Name


class HitRejectArgs(HitArgs):
    """hit.reject"""

    why: _Why


class HitPayArgs(HitArgs):
    """hit.pay: the number of the hand-pay slip"""

    slip: Annotated[str, StringConstraints(min_length=1, max_length=64, strip_whitespace=True, pattern=_LINE)]


class TableArgs(Args):
    """table.open, table.close"""

    table: _Name


class TableDealArgs(TableArgs):
    """table.deal: what the table deals from, as its settings name it"""

    deal: _Name
    why: _Why


class DeviceReplaceArgs(Args):
    """device.replace: what stands at a place now is accepted; it takes a technician and a supervisor"""

    table: _Name
    device: _Name
    why: _Why


class RoundArgs(TableArgs):
    """round.void, round.confirm"""

    why: _Why


class RoundCardArgs(TableArgs):
    """round.card: which card lies in a hand, "0" the dealer's, "1".. a seat's, "player", "banker"; index from 1"""

    hand: Annotated[str, StringConstraints(pattern=r"^([0-9]|1[0-5]|player|banker)$")]
    index: int = Field(ge=1, le=5)
    card: Annotated[str, StringConstraints(pattern=r"^([2-9TJQKA]|10)[SHCD]$")]


class RoundDealtArgs(RoundArgs):
    """round.dealt: these seats without a bet were dealt so many cards each"""

    seats: list[Annotated[int, Field(ge=1, le=7)]] = Field(min_length=1, max_length=7)
    cards: int = Field(default=5, ge=1, le=5)


class RoundRefuseArgs(RoundArgs):
    """round.refuse: what a seat claims of a pool is not what its cards show"""

    seat: int = Field(ge=1, le=15)
    pool: _Name


class RoundRefundArgs(RoundArgs):
    """round.refund: the carried bet of a player who leaves goes back"""

    seat: int = Field(ge=1, le=15)
    pool: _Name


class PoolShowArgs(Args):
    """pool.show: one pool, or every pool"""

    pool: _Name | None = None


class PoolApplyArgs(Args):
    """pool.apply: of one pool, or of every one whose file differs"""

    pool: _Name | None = None
    why: _Why


class PoolArgs(Args):
    """pool.suspend, pool.resume"""

    pool: _Name
    why: _Why


class PoolAdjustArgs(PoolArgs):
    """pool.adjust: an amount with its sign, such as +1200.50"""

    amount: Annotated[str, StringConstraints(pattern=r"^[+-]?[0-9]{1,18}(\.[0-9]{1,12})?$")]


class PoolTransferArgs(PoolArgs):
    """pool.transfer: into another pool"""

    into: _Name


class PoolRetireArgs(PoolArgs):
    """pool.retire: what is left goes to another pool, or to `house`"""

    to: _Name


class DayArgs(Args):
    """day.close: the day that is meant, which must be said of one that has just begun"""

    day: int | None = Field(default=None, ge=1)


_RowNumber = Annotated[int, Field(ge=1, lt=2**63)]
_Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class LedgerArchiveArgs(Args):
    """ledger.archive: facts of a closed day are in an archive file, written and read back; digests in hex"""

    day: int = Field(ge=1)
    first: _RowNumber
    last: _RowNumber
    closed: _RowNumber
    facts: _RowNumber
    rows: _Digest
    sha256: _Digest
    file: Annotated[str, StringConstraints(pattern=r"^facts-[0-9]{12,19}-[0-9]{12,19}\.jsonl$")]


class LedgerDropArgs(Args):
    """ledger.drop: the payloads of these rows go; they are in a registered archive"""

    rows: list[_RowNumber] = Field(min_length=1, max_length=MAX_DROPPED_ROWS)


class AlarmArgs(Args):
    """alarm.ack"""

    alarm: _Name


class LoginArgs(Args):
    """login: answered by a token of five minutes"""

    name: _Name
    password: _TriedPassword = Field(repr=False)


class OperatorArgs(Args):
    """operator.disable"""

    name: _Name


class OperatorAddArgs(OperatorArgs):
    """operator.add; without a password the operator acts by the Unix user alone"""

    role: Role
    unix_user: _Name | None = None
    password: _Password | None = Field(default=None, repr=False)


class OperatorPasswordArgs(OperatorArgs):
    """operator.passwd"""

    password: _Password = Field(repr=False)


OPERATIONS: dict[str, type[Args]] = {
    "status": NoArgs,
    "login": LoginArgs,
    "hit.list": NoArgs,
    "hit.approve": HitArgs,
    "hit.reject": HitRejectArgs,
    "hit.pay": HitPayArgs,
    "alarm.list": NoArgs,
    "alarm.ack": AlarmArgs,
    "pool.show": PoolShowArgs,
    "pool.apply": PoolApplyArgs,
    "pool.adjust": PoolAdjustArgs,
    "pool.transfer": PoolTransferArgs,
    "pool.retire": PoolRetireArgs,
    "pool.suspend": PoolArgs,
    "pool.resume": PoolArgs,
    "table.open": TableArgs,
    "table.close": TableArgs,
    "table.deal": TableDealArgs,
    "round.void": RoundArgs,
    "round.confirm": RoundArgs,
    "round.card": RoundCardArgs,
    "round.dealt": RoundDealtArgs,
    "round.refuse": RoundRefuseArgs,
    "round.refund": RoundRefundArgs,
    "device.list": NoArgs,
    "device.replace": DeviceReplaceArgs,
    "day.close": DayArgs,
    "ledger.archive": LedgerArchiveArgs,
    "ledger.drop": LedgerDropArgs,
    "operator.add": OperatorAddArgs,
    "operator.disable": OperatorArgs,
    "operator.passwd": OperatorPasswordArgs,
    "operator.list": NoArgs,
    "reload": NoArgs,
}

A = TypeVar("A", bound=Args)


def read_request(line: bytes) -> Request:
    """The request of a line; MessageError when it is none, or too long."""
    if len(line) > MAX_REQUEST_BYTES:
        raise MessageError(f"a request has at most {MAX_REQUEST_BYTES} bytes")
    return from_json(Request, line)


def args_of(request: Request, model: type[A]) -> A:
    """The arguments as the operation's model; MessageError names the first that does not fit."""
    try:
        return model.model_validate(request.args)
    except ValidationError as error:
        raise MessageError(f"{request.op}: {first_fault(error)}") from None


def control_schema() -> dict[str, Any]:
    """The JSON Schema of a request, of a response, and of every operation's arguments."""
    return {
        "request": Request.model_json_schema(),
        "response": Response.model_json_schema(mode="serialization"),
        "operations": {op: model.model_json_schema() for op, model in OPERATIONS.items()},
    }
