"""The file as it is written: one model a block, one field a key (design section 5).

Laws
1. An unknown key is a fault; so is a value of another type, also where it could be converted.
2. Every key may be absent here: what is required depends on the rules, and the checks say so with the article.
3. A field's name ends with its unit; its alias is the key in the file.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from jackpotd.core.parameters import Rules
from jackpotd.daemon.config_types import (
    AbsolutePath,
    Amount,
    Article,
    BoardSerial,
    BrokerUrl,
    CurrencyCode,
    DurationMs,
    Identifier,
    Key,
    Language,
    LedgerUrl,
    Listen,
    OneLine,
    Port,
    Rate,
    Secret,
    Size,
    SocketPath,
    TimeOfDay,
    TimeZone,
)

# Tags of the two ways to write a prize; pydantic puts them into the place of an error.
PRIZE_TAGS = ("amounts", "unpaid")
BREAKER_TAGS = ("armed", "disarmed")
_JSON_TYPES = {bool: "boolean", int: "integer", str: "string", list: "array"}


def _name_required(schema: dict[str, Any], model: type[Any]) -> None:
    """The schema names the required keys, which the models leave to the checks (law 2), and knows no null."""
    schema["required"] = list(model.REQUIRED)
    for prop in schema["properties"].values():
        for variant in prop.pop("anyOf", []):
            if variant != {"type": "null"}:
                prop.update(variant)
        # A default is shown where it reads in the file as it does here; durations and rates are numbers only here.
        if prop.get("type") != _JSON_TYPES.get(type(prop.get("default")), "not JSON"):
            prop.pop("default", None)


class Block(BaseModel):
    """A block of the file."""

    model_config = ConfigDict(
        defer_build=True,  # once, with the whole file, and not every block by itself too
        extra="forbid",
        frozen=True,
        strict=True,
        arbitrary_types_allowed=True,
        json_schema_extra=_name_required,
    )
    REQUIRED: ClassVar[tuple[str, ...]] = ()


class SiteBlock(Block):
    """[site]"""

    REQUIRED: ClassVar[tuple[str, ...]] = ("id", "currency", "timezone")
    id: Identifier | None = None
    node: Identifier = "main"
    currency: CurrencyCode | None = None
    timezone: TimeZone | None = None
    gaming_day_starts: TimeOfDay | None = None
    holidays: list[date] = Field(default=[], max_length=1_000)
    languages: list[Language] = Field(default=["en"], min_length=1, max_length=8)
    require_approvals: bool = False
    require_synchronised_clock: bool = True
    keep_cores_awake: bool = False


class LedgerBlock(Block):
    """[ledger]"""

    REQUIRED: ClassVar[tuple[str, ...]] = ("url",)
    url: LedgerUrl | None = None
    min_free: Size | None = None
    seal_key_file: Secret | None = None


class MqttBlock(Block):
    """[mqtt]"""

    REQUIRED: ClassVar[tuple[str, ...]] = ("url",)
    url: BrokerUrl | None = None
    protocol: Literal["3.1.1", "5"] = "3.1.1"
    username: OneLine | None = Field(default=None, min_length=1, max_length=128)
    password_file: Secret | None = None
    ca_file: AbsolutePath | None = None
    insecure: bool = False


class MetricsBlock(Block):
    """[metrics]; without it there is no metrics page."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("listen",)
    listen: Listen | None = None


class ControlBlock(Block):
    """[control]"""

    REQUIRED: ClassVar[tuple[str, ...]] = ("socket",)
    socket: SocketPath | None = None


class CaptureBlock(Block):
    """[capture]; without it nothing is recorded."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("dir",)
    folder: AbsolutePath | None = Field(default=None, alias="dir")
    # A part is an hour of a table or so; all of them together are what may be spent of the disk.
    file_mib: int = Field(default=64, ge=1, le=1_024)
    files: int = Field(default=32, ge=2, le=10_000)


class ApprovalBlock(Block):
    """[[approval]]: a permission of the regulator."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("covers", "reference", "applied", "from")
    covers: list[Article] = Field(default=[], max_length=64)
    reference: OneLine | None = Field(default=None, min_length=1, max_length=200)
    applied: date | None = None
    effective: date | None = Field(default=None, alias="from")


class PrizeBlock(Block):
    """A prize: a fixed amount, a share of the pool, or the greater of both."""

    share_ppm: Rate | None = Field(default=None, alias="share")
    fixed_atoms: Amount | None = Field(default=None, alias="fixed")


def _prize_tag(value: object) -> str:
    return PRIZE_TAGS[isinstance(value, str)]


Prize = Annotated[
    Annotated[PrizeBlock, Tag(PRIZE_TAGS[0])] | Annotated[Literal["not paid"], Tag(PRIZE_TAGS[1])],
    Discriminator(_prize_tag),
]


class BreakerBlock(Block):
    """[pool.breaker]: what luck is no luck any more."""

    # Looked at every hour, tier by tier, that is a false alarm in a century or more.
    one_in: int = Field(default=10_000_000, ge=1_000, le=10**18)
    window_ms: DurationMs = Field(default=24 * 3_600_000, alias="window")


def _breaker_tag(value: object) -> str:
    return BREAKER_TAGS[isinstance(value, str)]


Breaker = Annotated[
    Annotated[BreakerBlock, Tag(BREAKER_TAGS[0])] | Annotated[Literal["off"], Tag(BREAKER_TAGS[1])],
    Discriminator(_breaker_tag),
]


class GameBlock(Block):
    """[pool.games.<game>]: which of the pool's prizes each tier of a game wins."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("rules", "tiers")
    rules: Annotated[Rules, Field(strict=False)] | None = None
    tiers: dict[str, str] | None = None


class GamesBlock(Block):
    """[pool.games]: the games whose tables feed the pool."""

    stud: GameBlock | None = None
    baccarat: GameBlock | None = None


class PoolBlock(Block):
    """[[pool]]. `rules`, or `games` for several; a level has neither bet nor contribution of its own."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("id", "seed", "prizes")
    id: Identifier | None = None
    rules: Annotated[Rules, Field(strict=False)] | None = None
    seed_atoms: Amount | None = Field(default=None, alias="seed")
    bet_atoms: Amount | None = Field(default=None, alias="bet")
    contribution_ppm: Rate | None = Field(default=None, alias="contribution")
    reserve_ppm: Rate = Field(default=0, alias="reserve")
    limit_atoms: Amount | None = Field(default=None, alias="limit")
    payout_unit_atoms: Amount | None = Field(default=None, alias="payout_unit")
    straight_flush_base: Literal["round", "running"] | None = None
    several_royals: Literal["split_greater", "greater_each"] | None = None
    fixed_prizes_from: Literal["pool", "house"] | None = None
    four_of_a_kind_suits: Literal["distinct", "any"] | None = None
    remainder: Literal["pool", "house"] | None = None
    void_round: Literal["carry", "refund"] | None = None
    auto_pay_below_atoms: Amount | None = Field(default=None, alias="auto_pay_below")
    two_person_above_atoms: Amount | None = Field(default=None, alias="two_person_above")
    bare_two_person_above_atoms: Amount | None = Field(default=None, alias="bare_two_person_above")
    # The winner's table waits for the verification, the others play on (design section 7).
    hold_tables_on_hit: Literal["table", "link", "none"] = "table"
    # Long enough for the floor to gather, short enough for the next hit.
    show_hit_for_ms: DurationMs = Field(default=600_000, alias="show_hit_for")
    breaker: Breaker = BreakerBlock()
    prizes: dict[str, Prize] | None = None
    games: GamesBlock | None = None
    # Signs show a handful of levels at most; eight leave a bet of 10.00 its cents.
    levels: dict[str, Rate] | None = Field(default=None, max_length=8)


class DeviceBlock(Block):
    """[[table.device]]"""

    REQUIRED: ClassVar[tuple[str, ...]] = ("name", "driver", "port")
    name: Identifier | None = None
    driver: Identifier | None = None
    port: Port | None = None
    baud: int | None = Field(default=None, ge=300, le=4_000_000)
    parity: Literal["none", "even", "odd"] = "none"
    data_bits: Literal[7, 8] = 8
    stop_bits: Literal[1, 2] = 1
    address: int | None = Field(default=None, ge=1, le=0x7E)
    serial: BoardSerial | None = None
    key: Key | None = None
    key_file: Secret | None = None


class TableBlock(Block):
    """[[table]]"""

    REQUIRED: ClassVar[tuple[str, ...]] = ("id", "pools", "seats", "deal")
    id: Identifier | None = None
    game: Literal["stud", "baccarat"] | None = None
    pools: list[Identifier] | None = Field(default=None, min_length=1)
    seats: int | None = None
    deal: list[Literal["shoe", "shuffler", "claims"]] | None = Field(default=None, min_length=1)
    royal_raise_odds: int | None = None
    max_payout_atoms: Amount | None = Field(default=None, alias="max_payout")
    decks: int | None = None
    commission: Literal["five_percent", "six_pays_half", "dragon7_push"] | None = None
    advisory_lock: bool = False
    # Silence proves nothing on a bare link: a deal that takes longer than three minutes is held (devices.md).
    deal_timeout_ms: DurationMs = Field(default=180_000, alias="deal_timeout")
    device: list[DeviceBlock] = []


class FileModel(Block):
    """The whole file."""

    REQUIRED: ClassVar[tuple[str, ...]] = ("site", "ledger", "mqtt", "pool", "table")
    site: SiteBlock = SiteBlock()
    ledger: LedgerBlock = LedgerBlock()
    mqtt: MqttBlock = MqttBlock()
    metrics: MetricsBlock | None = None
    control: ControlBlock | None = None
    capture: CaptureBlock | None = None
    approval: list[ApprovalBlock] = []
    pool: list[PoolBlock] = []
    table: list[TableBlock] = []


# Arrays of tables: an element that is no table is replaced by an empty one, so that the others keep their places.
TABLE_ARRAYS = ("approval", "pool", "table", "device")


def config_schema() -> dict[str, Any]:
    """The JSON Schema of the file, for `jackpotd schema` and for editors."""
    return FileModel.model_json_schema(by_alias=True)
