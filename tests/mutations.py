"""Judge the tests: change one line of the product at a time, and see whether a test fails.

`python -m tests.mutations [--count 200] [--seed 1] [--only worker/] [--workers 2]`: a seed chooses
changes in functions of all packages (or of files whose path matches), in proportion to lines. Each is made in a private
copy, where the tests that run the line are run until one fails that passes without it. They come from a run of
`make test` with a coverage context for each test (`--data`, made in ten minutes if missing), blind to other processes.
Prints a JSON line for each change (caught, survived, not covered; too slow is caught), and a table of packages.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise, zip_longest
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

import psutil
from coverage import CoverageData

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("engine", "pbem", "worker")
SKIPPED = ("pbem/bench/", "pbem/demo/", "pbem/store/migrations/")
LEAST, MOST = 3, 60  # changes of a package, tests of a change
BUDGET_S = 60.0  # for the tests of one change, as the coverage run measured them
PYTEST = (sys.executable, "-m", "pytest", "-q")
OPERATOR = re.compile(r"\bnot in\b|\bis not\b|\b(?:in|is|and|or)\b|[=!<>]=|[-+<>]")
_PAIRS = (("==", "!="), ("<", "<="), (">", ">="), ("in", "not in"), ("is", "is not"), ("+", "-"), ("and", "or"))
SWAPS = dict(_PAIRS) | {right: left for left, right in _PAIRS} | {"min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutation:
    """One changed line: the whole line before and after, and the number of the line where its statement begins."""

    file: str
    line: int
    before: str
    after: str
    statement: int

    @property
    def package(self) -> str:
        """The folder of the second level, or of the third in `pbem/service`."""
        folders = self.file.split("/")[:-1]
        return "/".join(folders[: 3 if folders[:2] == ["pbem", "service"] else 2])


def list_mutations(file: Path) -> Iterator[Mutation]:
    """Yield the changes in functions of one module that leave it valid."""
    source = file.read_text("utf-8")
    lines = [line.encode() for line in source.split("\n")]
    for statement, node in _nodes(ast.parse(source), 0, False):
        for line, start, end, text in _replacements(node, lines):
            old = lines[line - 1]
            new = old[:start] + text.encode() + old[end:]
            yield Mutation(str(file.relative_to(ROOT)), line, old.decode(), new.decode(), statement)


def _nodes(node: ast.AST, statement: int, inside: bool) -> Iterator[tuple[int, ast.AST]]:
    """Yield (line of the statement, node) in functions, except annotations, texts, `__repr__`, errors and log calls."""
    annotation = getattr(node, "annotation", None)
    children: Iterable[ast.AST] = (child for child in ast.iter_child_nodes(node) if child is not annotation)
    match node:
        case ast.FunctionDef(name="__repr__") | ast.Assert() | ast.Raise() | ast.JoinedStr():
            return
        case ast.Expr(value=ast.Call(func=func)) if re.search(r"(?i)\b_?log(ger)?\.", ast.unparse(func)):
            return
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            children, inside = body, True
    statement = node.lineno if isinstance(node, ast.stmt) else statement
    if inside:
        yield statement, node
    for child in children:
        yield from _nodes(child, statement, inside)


def _replacements(node: ast.AST, lines: Sequence[bytes]) -> Iterator[tuple[int, int, int, str]]:
    """Yield the changes of one node as (line, first column and the one after the last in bytes, new text)."""
    operands: Sequence[ast.expr] = ()
    forms: list[tuple[ast.expr, str]] = []
    match node:
        case ast.Compare(left=left, comparators=comparators):
            operands = [left, *comparators]
        case ast.BoolOp(values=values):
            operands = values
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right) if "'" not in ast.unparse(node):
            operands = [left, right]
        case ast.UnaryOp(op=ast.Not(), lineno=line, col_offset=start):
            yield line, start, start + len("not"), ""
        case ast.Constant(value=bool() as constant):
            forms = [(node, str(not constant))]
        case ast.Constant(value=int() as constant) if constant < 100:  # larger ones are sizes and times
            forms = [(node, str(constant + 1))]
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant) or value.value is None:
            forms = [(value, "True" if isinstance(value, ast.Constant) else "None")]
        case ast.Expr(value=ast.Call() as value):
            forms = [(value, "pass")]
        case ast.Call(func=ast.Name(id="min" | "max" as name) as func):
            forms = [(func, SWAPS[name])]
        case ast.Slice(lower=lower, upper=upper):
            forms = [(bound, "({}) + 1") for bound in (lower, upper) if bound and not isinstance(bound, ast.Constant)]
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if not isinstance(test, ast.UnaryOp):
            forms = [(test, "not ({})")]
    for before, after in pairwise(operands):
        start = before.end_col_offset or 0
        between = lines[after.lineno - 1][start : after.col_offset].decode()
        if before.end_lineno == after.lineno and (found := OPERATOR.search(between)):
            yield after.lineno, start + found.start(), start + found.end(), SWAPS[found[0]]
    for changed, form in forms:
        start, end = changed.col_offset, changed.end_col_offset or 0
        if changed.lineno == changed.end_lineno:
            yield changed.lineno, start, end, form.format(lines[changed.lineno - 1][start:end].decode())


def choose_mutations(count: int, seed: int, only: str = "") -> list[Mutation]:
    """Return some `count` mutations, one a line, the same for the same seed and product. `only`: what paths match."""
    chance = random.Random(seed)
    packages: dict[str, dict[tuple[str, int], list[Mutation]]] = defaultdict(lambda: defaultdict(list))
    for file in sorted(file for top in TOPS for file in (ROOT / top).rglob("*.py")):
        path = str(file.relative_to(ROOT))
        if re.match(only, path) and not path.startswith(SKIPPED):
            for mutation in list_mutations(file):
                packages[mutation.package][mutation.file, mutation.line].append(mutation)
    share = count / sum(map(len, packages.values()))
    chosen: list[Mutation] = []
    for lines in packages.values():
        keys = chance.sample(sorted(lines), min(len(lines), max(LEAST, round(share * len(lines)))))
        chosen += [chance.choice(lines[key]) for key in keys]
    return chance.sample(chosen, len(chosen))


def load_tests(data: Path, mutations: Iterable[Mutation]) -> tuple[dict[Mutation, list[str]], set[Mutation]]:
    """Return the cheapest tests for each change, and the changes of lines that none runs; make `data` if missing."""
    log = data.with_name("log")  # coverage deletes what is named like its data
    if not data.exists():
        data.parent.mkdir(parents=True, exist_ok=True)
        words = ("-n2", "--dist", "worksteal", "-m", "not (long or night)", "--durations=0", "-vv", "--cov-report=")
        command = [*PYTEST, *words, "--cov-context=test", *(f"--cov={top}" for top in TOPS)]
        with log.open("w") as out:
            subprocess.run(command, cwd=ROOT, env={**os.environ, "COVERAGE_FILE": str(data)}, stdout=out, check=False)
    seconds: dict[str, float] = defaultdict(float)
    for took, test in re.findall(r"^([\d.]+)s (?:setup|call|teardown) +(\S.*)$", log.read_text("utf-8"), re.M):
        seconds[test] += float(took)
    coverage = CoverageData(str(data))
    coverage.read()
    tests, blind = {}, set[Mutation]()
    for mutation in mutations:
        by_line = coverage.contexts_by_lineno(str(ROOT / mutation.file))
        seen = set(by_line.get(mutation.line) or by_line.get(mutation.statement) or ()) - {""}
        if not seen:  # perhaps it is run as its module is loaded
            seen = {context for contexts in by_line.values() for context in contexts} - {""}
            blind.add(mutation)
        cheap = sorted({context.rpartition("|")[0] for context in seen}, key=lambda name: (seconds[name], name))
        files: dict[str, list[str]] = defaultdict(list)
        for name in cheap:
            files[name.partition("::")[0]].append(name)
        turns = (name for turn in zip_longest(*files.values()) for name in turn if name)
        ranked = list(dict.fromkeys((*cheap[: MOST // 2], *turns)))[:MOST]
        spent = accumulate(seconds[name] for name in ranked)
        chosen = [name for name, total in zip(ranked, spent, strict=True) if total <= BUDGET_S]
        tests[mutation] = sorted(chosen or ranked[:1], key=lambda name: seconds[name])
    return tests, blind


class Copy:
    """A private copy of the checkout, with its own folder for temporary files."""

    def __init__(self, folder: Path) -> None:
        self.root, self.temporary = folder / "copy", folder / "t"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(".git", ".venv", "var"))
        variables = {"TMPDIR": str(self.temporary), "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": ""}
        self._variables = {**os.environ, **variables}

    def judge(self, mutation: Mutation, tests: Sequence[str], seconds: float) -> tuple[str, str]:
        """Return (result, the test that failed)."""
        file = self.root / mutation.file
        lines = file.read_text("utf-8").split("\n")
        lines[mutation.line - 1] = mutation.after
        file.write_text("\n".join(lines), "utf-8")
        code, failed = self.run([*tests, "-x"], seconds) if tests else (0, ())
        shutil.copy2(ROOT / mutation.file, file)
        reason = failed[0] if failed else "by time" if code < 0 else f"pytest ends with {code}"
        return ("caught", reason) if code else ("survived", "")

    def run(self, words: Sequence[str], seconds: float) -> tuple[int, Sequence[str]]:
        """Run pytest, end what it leaves, and return its code (negative: took too long) and the tests that failed."""
        self.temporary.mkdir()
        command = [*PYTEST, "-n0", "-p", "no:cacheprovider", *words]
        output = self.temporary / "output"
        with output.open("w") as out, subprocess.Popen(command, cwd=self.root, env=self._variables, stdout=out) as run:
            with suppress(subprocess.TimeoutExpired):
                run.wait(seconds)
            for process in psutil.process_iter():
                with suppress(psutil.Error):
                    if process.environ().get("TMPDIR") == str(self.temporary):
                        process.kill()
        said = output.read_text("utf-8").replace("\n", " \n")
        shutil.rmtree(self.temporary, ignore_errors=True)
        return run.returncode, [word for word in words if f"\nFAILED {word} " in said or f"\nERROR {word} " in said]


def main() -> None:
    """Judge the chosen changes; print a JSON line for each, and a table of the packages."""
    parser = argparse.ArgumentParser()
    for name, default in (("count", 200), ("seed", 1), ("workers", 2), ("seconds", 240)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", default="", help="a pattern for the paths of files to change")
    parser.add_argument("--data", type=Path, default=ROOT / "var/mutations/data", help="coverage data with contexts")
    wanted = parser.parse_args()
    mutations = choose_mutations(wanted.count, wanted.seed, wanted.only)
    tests, blind = load_tests(wanted.data, mutations)
    outcomes: dict[Mutation, tuple[str, str]] = {}
    with TemporaryDirectory(prefix="pm-") as folder, ThreadPoolExecutor(wanted.workers) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(wanted.workers):
            copies.put(Copy(Path(folder) / str(number)))

        def judge(mutation: Mutation) -> None:
            copy = copies.get()
            result, failed = copy.judge(mutation, tests[mutation], wanted.seconds)
            outcomes[mutation] = ("not covered" if result == "survived" and mutation in blind else result), failed
            copies.put(copy)
            print(json.dumps([*outcomes[mutation], asdict(mutation)], ensure_ascii=False), flush=True)

        list(pool.map(judge, mutations))
        failed = sorted({test for _, test in outcomes.values() if "::" in test})
        copies.put(copy := copies.get())
        unsound = copy.run(failed, wanted.seconds * len(failed))[1] if failed else ()
        for mutation in [mutation for mutation, (_, test) in outcomes.items() if test in unsound]:
            tests[mutation] = [test for test in tests[mutation] if test not in unsound]
            judge(mutation)
    results: dict[str, Counter[str]] = defaultdict(Counter)
    for mutation, (result, _) in outcomes.items():
        results[mutation.package][result] += 1
    for package, counts in [*sorted(results.items()), ("all", sum(results.values(), Counter[str]()))]:
        print(f"{package:24}", dict(counts))


if __name__ == "__main__":
    main()
