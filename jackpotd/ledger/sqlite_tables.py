"""The tables of a ledger's file and the guards on them, by the version of the file.

Laws
1. Rows are never deleted or put anywhere but at the end, and never changed, whoever holds the file: triggers say so.
   INSERT OR REPLACE passes triggers on DELETE by, so the one on INSERT demands the next number.
2. Version 2 allows one change: the body of a fact goes, once, while its hash stays, if an archive is registered for it.
   An archive is registered only as an entry of the chain says, of rows up to the end of a closed day.
3. A file of version 1 is used as it is, so that the program before this one reads it too. MIGRATION makes it version 2,
   inside the transaction that first needs it.
"""

from __future__ import annotations

VERSIONS = (1, 2)
NEWEST_VERSION = VERSIONS[-1]

_TABLES = (
    """CREATE TABLE ledger (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), site TEXT NOT NULL,
    uuid TEXT NOT NULL) STRICT""",
    """CREATE TABLE row (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL CHECK (length(hash) = 32),
    body BLOB NOT NULL) STRICT""",
    """CREATE TABLE mark (source TEXT NOT NULL, journal INTEGER NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (source, journal)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, head BLOB NOT NULL, state_hash BLOB NOT NULL,
    version TEXT NOT NULL, body BLOB NOT NULL) STRICT""",
)
_ARCHIVE = """CREATE TABLE archive (entry INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL,
    closed INTEGER NOT NULL) STRICT"""


def _guard(name: str, when: str, why: str) -> str:
    return f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{why}'); END"


_NOT_NEXT = "NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM row)"
_GUARDS = (
    _guard("row_delete", "BEFORE DELETE ON row", "rows are never deleted"),
    _guard("ledger_update", "BEFORE UPDATE ON ledger", "a ledger keeps its identity"),
    _guard("ledger_delete", "BEFORE DELETE ON ledger", "a ledger keeps its identity"),
    _guard(
        "ledger_insert",
        "BEFORE INSERT ON ledger WHEN EXISTS (SELECT 1 FROM ledger)",
        "a ledger keeps its identity",
    ),
    _guard(
        "mark_update",
        "BEFORE UPDATE ON mark"
        " WHEN NEW.seq <= OLD.seq OR NEW.source IS NOT OLD.source OR NEW.journal IS NOT OLD.journal",
        "marks only rise",
    ),
    _guard("mark_delete", "BEFORE DELETE ON mark", "marks only rise"),
    _guard(
        "mark_insert",
        "BEFORE INSERT ON mark WHEN EXISTS"
        " (SELECT 1 FROM mark WHERE source = NEW.source AND journal = NEW.journal AND seq >= NEW.seq)",
        "marks only rise",
    ),
)
_GUARDS_1 = (
    _guard("row_update", "BEFORE UPDATE ON row", "rows are never changed"),
    _guard("row_insert", f"BEFORE INSERT ON row WHEN {_NOT_NEXT}", "rows are only added at the end"),
)
# A canonical body has a key with its colon nowhere but where it says it: in a text its quotes are escaped.
_GUARDS_2 = (
    _guard(
        "row_update",
        "BEFORE UPDATE ON row WHEN NOT (NEW.seq = OLD.seq AND NEW.hash = OLD.hash AND NEW.body = x''"
        ' AND instr(OLD.body, CAST(\'"row":"fact"\' AS BLOB)) > 0'
        " AND EXISTS (SELECT 1 FROM archive WHERE OLD.seq BETWEEN first AND last))",
        "rows are never changed",
    ),
    _guard(
        "row_insert",
        f"BEFORE INSERT ON row WHEN {_NOT_NEXT} OR length(NEW.body) = 0",
        "rows are only added at the end",
    ),
    _guard(
        "archive_insert",
        "BEFORE INSERT ON archive WHEN NOT (NEW.first > (SELECT coalesce(max(last), 0) FROM archive)"
        " AND NEW.first <= NEW.last AND NEW.last <= NEW.closed AND NEW.closed < NEW.entry"
        " AND EXISTS (SELECT 1 FROM row WHERE seq = NEW.closed"
        ' AND instr(body, CAST(\'"row":"entry"\' AS BLOB)) > 0'
        ' AND instr(body, CAST(\'"kind":"day_closed"\' AS BLOB)) > 0)'
        " AND EXISTS (SELECT 1 FROM row WHERE seq = NEW.entry"
        ' AND instr(body, CAST(\'"row":"entry"\' AS BLOB)) > 0'
        ' AND instr(body, CAST(\'"kind":"facts_archived"\' AS BLOB)) > 0'
        " AND instr(body, CAST('\"first\":' || NEW.first || ',' AS BLOB)) > 0"
        " AND instr(body, CAST('\"last\":' || NEW.last || ',' AS BLOB)) > 0"
        " AND instr(body, CAST('\"closed\":' || NEW.closed || ',' AS BLOB)) > 0))",
        "an archive is registered by the chain",
    ),
    _guard("archive_update", "BEFORE UPDATE ON archive", "an archive is registered for ever"),
    _guard("archive_delete", "BEFORE DELETE ON archive", "an archive is registered for ever"),
)

# What makes a file of each version, and how it is known again.
STATEMENTS = {1: (*_TABLES, *_GUARDS, *_GUARDS_1), 2: (*_TABLES, _ARCHIVE, *_GUARDS, *_GUARDS_2)}
# Around rows of version 2 that are put where they were, inside one transaction.
_AWAY = ("row_delete", "row_insert")
UNGUARD = tuple(f"DROP TRIGGER {name}" for name in _AWAY)
GUARD = tuple(statement for statement in STATEMENTS[2] if statement.split()[2] in _AWAY)
# From version 1 to 2; what they have in common stays.
MIGRATION = (
    "DROP TRIGGER row_update",
    "DROP TRIGGER row_insert",
    _ARCHIVE,
    *_GUARDS_2,
    f"PRAGMA user_version={NEWEST_VERSION}",
)
