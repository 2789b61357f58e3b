"""How the code reads is tested like what it does."""

from __future__ import annotations

import ast
import re
import statistics
import tomllib

from jackpotd.cli import COMMANDS
from tests.support.sources import ROOT, Module, calls, everything, imports, product, tracked_files

MODULE_LINES = 400
FUNCTION_LINES = 70
# "About 150": above this the typical module does more than one thing.
MEDIAN_MODULE_LINES = 180
# The packages in which an amount is an int of atoms from end to end.
MONEY = ("jackpotd.core", "jackpotd.ledger", "jackpotd.messages")
SPEAKERS = ("jackpotd.cli", "jackpotd.commands", "jackpotd.demo")

_MONEY_WORD = re.compile(r"atoms|amount|minor|meter|prize|pool|seed|bet|balance", re.IGNORECASE)


def functions(module: Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_no_module_is_longer_than_400_lines() -> None:
    assert [f"{one.path}: {one.lines}" for one in everything() if one.lines > MODULE_LINES] == []


def test_no_function_is_longer_than_70_lines() -> None:
    long = [
        f"{module.path}:{node.lineno} {node.name}"
        for module in everything()
        for node in functions(module)
        if node.end_lineno is not None and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    assert long == []


def test_the_median_module_has_about_150_lines() -> None:
    assert statistics.median(one.lines for one in product()) <= MEDIAN_MODULE_LINES


def test_every_module_says_what_it_holds_to() -> None:
    assert [one.path for one in product() if not ast.get_docstring(one.tree)] == []


def test_no_float_comes_near_money() -> None:
    faults = [
        f"{module.path}:{line}: {ast.unparse(call)}"
        for module in product()
        for line, name, call in calls(module)
        if name.rpartition(".")[2] in {"float", "Decimal", "Fraction"}
        if module.within(*MONEY) or _MONEY_WORD.search(ast.unparse(call))
    ]
    assert faults == []


def test_the_core_knows_no_fractions() -> None:
    faults = [
        f"{module.path}:{node.lineno}: {ast.unparse(node)}"
        for module in product()
        if module.within("jackpotd.core")
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Constant) and isinstance(node.value, float))
    ]
    assert faults == []


def test_only_the_command_line_prints() -> None:
    faults = [
        f"{module.path}:{line}"
        for module in product()
        if not module.within(*SPEAKERS)
        for line, name, _ in calls(module)
        if name == "print"
    ]
    assert faults == []


def test_no_task_is_started_outside_a_task_group() -> None:
    loose = re.compile(r"(asyncio|loop|get_running_loop\(\))\.(create_task|ensure_future)|ensure_future")
    faults = [
        f"{module.path}:{line}"
        for module in product()
        for line, name, _ in calls(module)
        if loose.fullmatch(name.removeprefix("self._"))
    ]
    assert faults == []


def test_no_exception_is_swallowed() -> None:
    faults = [
        f"{module.path}:{node.lineno}"
        for module in product()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler)
        if node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"}
        if not any(isinstance(inner, ast.Raise) or hands_on(inner, node.name) for inner in ast.walk(node))
    ]
    assert faults == []


def test_nothing_is_raised_out_of_a_group_handler() -> None:
    """Python 3.11.2, which is Debian 12's, puts a group around what `except*` raises; 3.11.7 does not."""
    faults = [
        f"{module.path}:{inner.lineno}"
        for module in product()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.TryStar)
        for handler in node.handlers
        for inner in ast.walk(handler)
        if isinstance(inner, ast.Raise)
    ]
    assert faults == []


def hands_on(node: ast.AST, error: str | None) -> bool:
    """A call that makes an error the error of whoever waits for the work."""
    handed = (f".set_exception, {error})", f"._break({error})")  # the last ends a connection with it
    return isinstance(node, ast.Call) and ast.unparse(node).endswith(handed)


def entry_points() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    targets = [*project["scripts"].values()]
    for group in project["entry-points"].values():
        targets += group.values()
    return {target.partition(":")[0] for target in targets}


def test_every_module_is_used() -> None:
    wanted = entry_points() | {f"jackpotd.commands.{name}" for name in COMMANDS}  # imported by their names
    for module in product():
        wanted.update(name for name in imports(module) if name != module.name)
    packages = {one.name for one in product() if one.path.endswith("__init__.py")}
    unused = [
        one.path
        for one in product()
        if one.name not in wanted and one.name not in packages and not one.name.endswith("__main__")
    ]
    assert unused == []


def test_every_entry_point_leads_somewhere() -> None:
    assert entry_points() <= {one.name for one in product()}


def test_imports_run_one_way() -> None:
    allowed = {
        "jackpotd.core": ("jackpotd.core",),
        "jackpotd.messages": ("jackpotd.messages",),
        "jackpotd.ledger": ("jackpotd.ledger", "jackpotd.core"),
        "jackpotd.odds": ("jackpotd.odds", "jackpotd.core"),
        "hardware": ("hardware",),
        "jackpotd.sign": ("jackpotd.sign", "jackpotd.messages", "hardware"),
    }
    faults = [
        f"{module.path} imports {name}"
        for package, targets in allowed.items()
        for module in product()
        if module.within(package)
        for name in imports(module)
        if name.partition(".")[0] in {"jackpotd", "hardware"} and name != "jackpotd"
        if not any(name == target or name.startswith(f"{target}.") for target in targets)
    ]
    assert faults == []


def test_a_reference_of_the_tests_shares_nothing_with_what_it_checks() -> None:
    references = [module for module in everything() if "/reference_" in module.path]
    assert references
    assert [
        f"{module.path} imports {name}"
        for module in references
        for name in imports(module)
        if name.partition(".")[0] in {"jackpotd", "hardware", "tests"}
    ] == []


def test_no_test_is_left_out() -> None:
    """A test that cannot run must fail, and say what is missing."""
    names = {"skip", "skipif", "skipIf", "xfail", "importorskip"}
    faults = [
        f"{module.path}:{node.lineno}"
        for module in everything()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in names and "pytest" in ast.unparse(node)
    ]
    assert faults == []


def test_test_files_have_names_of_their_own() -> None:
    names = [one.path.rpartition("/")[2] for one in everything() if one.path.startswith("tests/")]
    tests = [name for name in names if name.startswith("test_")]
    assert sorted(tests) == sorted(set(tests))


def test_the_repository_speaks_of_the_product_only() -> None:
    """No path of one machine, no host of a package registry, no word about who typed it."""
    # Joined here, so that this file does not hold them.
    forbidden = [
        "/wor" + "k/main",
        "/wor" + "k/shared",
        "/roo" + "t/",
        "/opt/py" + "pi",
        "/tmp/bri" + "efs",
        "py" + "pi.org",
        "python" + "hosted.org",
        "deb" + ".debian.org",
        "npm" + "js.org",
        "cla" + "ude",
        "anth" + "ropic",
        "chat" + "gpt",
        "ai assis" + "tant",
    ]
    faults = [
        f"{name}: {word}"
        for name in tracked_files()
        for word in forbidden
        if word.encode() in (ROOT / name).read_bytes().lower()
    ]
    assert faults == []
