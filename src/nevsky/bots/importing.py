"""Files of bots, and what lies beside them: every folder has modules of its own, also if another has the same names.

A folder is a package with a name that nobody else has, and ``import helper`` in one of its files is read as
``from <package> import helper`` if a ``helper`` lies there. Nothing else changes, inside or outside.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

__all__ = ["load_file", "without_folder"]

_PREFIX: Final = "nevsky_bots_in_"
_SHARED: Final = frozenset({*sys.stdlib_module_names, "nevsky"})
"""What nobody has a version of their own of."""


def load_file(path: Path) -> ModuleType:
    """The module in a file. It is made once; whatever its code raises is passed on."""
    path = path.resolve()
    package = _package(path.parent)
    name = f"{package}.{path.stem}"
    found = PathFinder.find_spec(name, [str(path.parent)])
    if found is None or found.origin != str(path):  # the name stands for something else, such as a package
        name = f"{package}.file_{_digest(path.name)}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path, loader=_Loader(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def without_folder(text: str, path: Path) -> str:
    """A text about the modules beside a file, with the names that they have there."""
    return text.replace(f"{_PREFIX}{_digest(str(path.resolve().parent))}.", "")


def _package(folder: Path) -> str:
    name = _PREFIX + _digest(str(folder))
    if name not in sys.modules:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        sys.modules[name] = module_from_spec(spec)
        if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
            sys.meta_path.insert(0, _Finder())
    return name


class _Finder(MetaPathFinder):
    """Finds the modules of such folders, to be read by our own loader."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PREFIX):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    """Reads a file with its imports turned to its own folder, and keeps no compiled copy that others could find."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        package = fullname.partition(".")[0]
        turned = ast.fix_missing_locations(_Turning(package, sys.modules[package].__path__[0]).visit(tree))
        code: CodeType = compile(turned, path, "exec", dont_inherit=True)
        return code


class _Turning(ast.NodeTransformer):
    """Turns imports of modules that lie in the folder to the folder's package."""

    def __init__(self, package: str, folder: str) -> None:
        self._package = package
        self._folder = folder
        self._searched = folder in map(os.path.realpath, sys.path)
        self._own: dict[str, bool] = {}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.level == 0 and node.module is not None and self._has(node.module):
            node.module = f"{self._package}.{node.module}"
        return node

    def visit_Import(self, node: ast.Import) -> list[ast.Import | ast.ImportFrom]:
        found: list[ast.Import | ast.ImportFrom] = []
        for alias in node.names:
            if not self._has(alias.name):
                found.append(ast.Import([alias]))
                continue
            first, dot, _ = alias.name.partition(".")
            if dot or alias.asname:
                found.append(ast.Import([ast.alias(f"{self._package}.{alias.name}", alias.asname)]))
            if not alias.asname:  # import tools.names means the name tools
                found.append(ast.ImportFrom(self._package, [ast.alias(first)], 0))
        return [ast.copy_location(each, node) for each in found]

    def _has(self, name: str) -> bool:
        first = name.partition(".")[0]
        if first not in self._own:
            self._own[first] = self._lies_here(first)
        return self._own[first]

    def _lies_here(self, name: str) -> bool:
        """Whether a module of this name lies in the folder and is the one to be imported."""
        if name in _SHARED:
            return False
        here = PathFinder.find_spec(f"{self._package}.{name}", [self._folder])
        if here is None:
            return False
        if here.origin is None:  # a folder without an __init__.py comes last everywhere
            return _elsewhere(name) is None
        if self._searched:  # a second copy of what can be imported anyway would be another thing
            there = _elsewhere(name)
            return there is None or there.origin != here.origin
        return True


def _elsewhere(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:16]
