"""Write the ``.pxd`` beside each compiled module of the rules from its annotated source.

In the ``.pxd`` of compiled modules elsewhere only the constants are written, between two marks.

    python -m tools.pxd          writes them anew
    python -m tools.pxd --check  only tells which are stale, and fails then

Fields come from the annotations of a class, constants from the names in capitals that are whole numbers, methods from
their signatures. A comment ``# c: ...`` behind a ``class`` or ``def`` line says what the source cannot:

    final            (class) has none above it
    border           (class) methods are for Python, unless a class below declares them in C or they are marked ``c``
    c                this method of a border is C
    python           this method is for Python
    both             for both; its class becomes final
    final            cannot be overridden, so calls are direct
    gil              touches Python objects
    a, b: uint       C types of local variables
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

os.environ["NEVSKY_PURE"] = "1"  # constants are looked up in the sources, which need not be compiled yet

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
HAND_WRITTEN = {"nevsky.rules.rng", "nevsky.rules.fields", "nevsky.envs.games"}
_NOTE = re.compile(r"#\s*c(?::\s*(.*))?$")
_NUMBERS = {"int": "int", "float": "double", "bool": "bint", "None": "void"}
_HEADER = "# Written by tools/pxd.py from the .py beside it.\n"
_CONSTANTS = re.compile(r"(# constants, written by tools/pxd\.py\n).*?(# end of constants\n)", re.DOTALL)


class Notes(NamedTuple):
    """What a ``# c:`` comment says."""

    words: frozenset[str]
    local_types: dict[str, str]

    @classmethod
    def of(cls, line: str) -> Notes | None:
        found = _NOTE.search(line)
        if found is None:
            return None
        words: set[str] = set()
        local_types: dict[str, str] = {}
        for part in filter(None, map(str.strip, (found[1] or "c").split(";"))):
            names, colon, kind = part.rpartition(":")
            if colon:
                local_types.update((name.strip(), kind.strip()) for name in names.split(","))
            else:
                words.add(part)
        return cls(frozenset(words), local_types)


NO_NOTES = Notes(frozenset(), {})


class Method(NamedTuple):
    """A method that is declared in C."""

    name: str
    declaration: str
    notes: Notes


class Source:
    """One module: its syntax, its values and the C classes it can name."""

    def __init__(self, name: str, registry: Registry) -> None:
        self.name = name
        self.path = SOURCE / (name.replace(".", "/") + ".py")
        self.lines = self.path.read_text(encoding="utf-8").splitlines()
        self.tree = ast.parse("\n".join(self.lines))
        self.values = vars(importlib.import_module(name))
        self.registry = registry
        self.classes = [node for node in self.tree.body if isinstance(node, ast.ClassDef) and self._compiled(node)]
        self.used: set[str] = set()

    def _compiled(self, node: ast.ClassDef) -> bool:
        return not any(isinstance(base, ast.Name) and base.id == "NamedTuple" for base in node.bases)

    def notes(self, node: ast.stmt) -> Notes:
        return Notes.of(self.lines[node.lineno - 1]) or NO_NOTES

    def c_type(self, annotation: ast.expr | None) -> str | None:
        """The C type of a parameter, result or plain field."""
        if annotation is None:
            return None
        if isinstance(annotation, ast.BinOp):  # X | None
            return self.c_type(annotation.left)
        if isinstance(annotation, ast.Constant) and annotation.value is None:
            return "void"
        if not isinstance(annotation, ast.Name):
            return None
        if annotation.id in _NUMBERS:
            return _NUMBERS[annotation.id]
        if annotation.id in self.registry.home:
            self.used.add(annotation.id)
            return annotation.id
        return None

    def fields(self, node: ast.ClassDef) -> list[str]:
        found = []
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                found.append(self._field(item.target.id, item.annotation))
        return found

    def _field(self, name: str, annotation: ast.expr) -> str:
        if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
            assert isinstance(annotation.slice, ast.Tuple)
            _, size, *more = annotation.slice.elts
            words = [eval(compile(ast.Expression(word), name, "eval"), dict(self.values)) for word in (size, *more)]
            kind = next((word for word in words[1:] if word != "scratch"), "short")
            public = "" if "scratch" in words else "public "
            return f"cdef {public}{kind} {name}[{words[0]}]"
        kind = self.c_type(annotation)
        return f"cdef public {kind or 'object'} {name}"

    def constants(self) -> dict[str, list[str]]:
        """Names in capitals that are numbers, by C type."""
        found: dict[str, list[str]] = {}
        for node in self.tree.body:
            names: list[str] = []
            if isinstance(node, ast.ImportFrom):
                names = [alias.asname or alias.name for alias in node.names]
            elif isinstance(node, ast.Assign):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            for name in names:
                value = self.values.get(name)
                if name.isupper() and isinstance(value, int | float) and not isinstance(value, bool):
                    words = self.notes(node).words - {"c"} if isinstance(node, ast.Assign) else frozenset()
                    kind = next(iter(words), "int" if isinstance(value, int) else "double")
                    found.setdefault(kind, []).append(name)
        return found

    def constant_lines(self, but: frozenset[str] = frozenset()) -> list[str]:
        return [
            f"cdef {_c_words(kind)} {name}"
            for kind, names in self.constants().items()
            for name in sorted(names)
            if name not in but
        ]

    def methods(self, node: ast.ClassDef) -> list[Method]:
        border = "border" in self.notes(node).words
        inherited = self.registry.methods_below(node)
        found = []
        for item in node.body:
            if not isinstance(item, ast.FunctionDef) or item.name.startswith("__") or item.decorator_list:
                continue
            notes = self.notes(item)
            in_c = item.name in inherited or notes.words & {"c", "both"} or notes.local_types or not border
            if in_c and "python" not in notes.words:
                method = self._method(item, notes, inherited.get(item.name))
                if method is not None:
                    found.append(method)
        return found

    def _method(self, item: ast.FunctionDef, notes: Notes, below: Method | None) -> Method | None:
        result = self.c_type(item.returns)
        parameters = [(argument.arg, self.c_type(argument.annotation)) for argument in item.args.args[1:]]
        if result is None or any(kind is None for _, kind in parameters):
            return None
        if below is not None and "gil" in below.notes.words:
            notes = Notes(notes.words | {"gil"}, notes.local_types)
        given = ", ".join(["self", *(f"{kind} {name}" for name, kind in parameters)])
        ending = "" if result in self.registry.home else " noexcept"
        ending += "" if "gil" in notes.words else " nogil"
        word = "cpdef" if "both" in notes.words else "cdef"
        return Method(item.name, f"{word} {result} {item.name}({given}){ending}", notes)

    def text(self) -> str:
        body: list[str] = []
        for node in self.classes:
            base = next((b.id for b in node.bases if isinstance(b, ast.Name) and b.id in self.registry.home), None)
            if base is not None:
                self.used.add(base)
            methods = self.registry.methods[node.name]
            final = "final" in self.notes(node).words or any("both" in method.notes.words for method in methods)
            body.append("")
            body += ["@cython.final"] if final else []
            body.append(f"cdef class {node.name}{f'({base})' if base else ''}:")
            fields = self.fields(node)
            body += [f"    {field}" for field in fields]
            body += [""] if fields and methods else []
            for method in methods:
                body += ["    @cython.final"] if "final" in method.notes.words else []
                if method.notes.local_types:
                    kinds = [f"{n}={_c_name(kind)}" for n, kind in method.notes.local_types.items()]
                    self.used.update(kind for kind in method.notes.local_types.values() if kind in self.registry.home)
                    body.append(f"    @cython.locals({', '.join(kinds)})")
                body.append(f"    {method.declaration}")
            if not fields and not methods:
                body.append("    pass")
        own = {node.name for node in self.classes}
        cimports = sorted(f"from {self.registry.home[name]} cimport {name}" for name in self.used - own)
        head = ["cimport cython", ""] if any("cython." in line for line in body) else []
        head += [*cimports, ""] if cimports else []
        head += self.constant_lines()
        return _HEADER + "\n".join([*head, *body]) + "\n"


def _c_name(kind: str) -> str:
    return f"cython.{kind}" if kind in ("uint", "ulonglong", "int", "double") else kind


def _c_words(kind: str) -> str:
    return {"ulonglong": "unsigned long long", "uint": "unsigned int"}.get(kind, kind)


class Registry:
    """All compiled modules of the rules, in the order in which they build on each other."""

    def __init__(self, modules: list[str]) -> None:
        self.home = {"Rng": "nevsky.rules.rng", "Fields": "nevsky.rules.fields"}
        self.bases: dict[str, str] = {}
        self.methods: dict[str, list[Method]] = {}
        self.sources: list[Source] = []
        for name in modules:
            source = Source(name, self)
            for node in source.classes:
                self.home[node.name] = name
                for base in node.bases:
                    if isinstance(base, ast.Name):
                        self.bases[node.name] = base.id
                self.methods[node.name] = []
                self.methods[node.name] = source.methods(node)
            self.sources.append(source)

    def methods_below(self, node: ast.ClassDef) -> dict[str, Method]:
        found: dict[str, Method] = {}
        name = self.bases.get(node.name)
        while name is not None:
            for method in self.methods.get(name, []):
                found.setdefault(method.name, method)
            name = self.bases.get(name)
        return found


def compiled_modules() -> list[str]:
    """The compiled modules, as setup.py lists them."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    names = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODULES"
    )
    return [f"nevsky.{name}" for name in names if f"nevsky.{name}" not in HAND_WRITTEN]


def imported_elsewhere() -> dict[str, set[str]]:
    """The names that others import from each module: they must stay visible to Python."""
    found: dict[str, set[str]] = {}
    for folder in ("src", "tests", "tools", "examples"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    found.setdefault(node.module, set()).update(alias.name for alias in node.names)
    return found


def written(modules: list[str]) -> Iterator[tuple[Path, str]]:
    """Every ``.pxd`` with what should stand in it."""
    rules = [name for name in modules if name.startswith("nevsky.rules.")]
    registry = Registry(rules)
    for source in registry.sources:
        yield source.path.with_suffix(".pxd"), source.text()
    used = imported_elsewhere()
    for name in modules:
        if name not in rules:
            source = Source(name, registry)
            path = source.path.with_suffix(".pxd")
            own = {
                target.id
                for node in source.tree.body
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            lines = "\n".join(source.constant_lines(frozenset(own & used.get(name, set()))))
            text, marks = _CONSTANTS.subn(rf"\1{lines}\n\2", path.read_text(encoding="utf-8"))
            assert marks == 1, f"{path} has no place for constants"
            yield path, text


def main(check: bool) -> int:
    sys.path.insert(0, str(SOURCE))
    stale = 0
    for path, text in written(compiled_modules()):
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            print(f"{path.relative_to(ROOT)} is stale: run make pxd")
        else:
            path.write_text(text, encoding="utf-8")
        stale += 1
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
