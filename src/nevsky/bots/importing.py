"""Files of bots, and what lies beside them: every folder has modules of its own, also if another has the same names.

A folder is a package with a name that nobody else has. Inside it ``import helper`` means the ``helper`` of that
folder, at any time; outside of it nothing changes.
"""

from __future__ import annotations

import builtins
import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

__all__ = ["load_file", "without_folder"]

_PREFIX: Final = "nevsky_bots_in_"
_SHARED: Final = frozenset({*sys.stdlib_module_names, "nevsky"})
"""What nobody has a version of his own of."""


class _Folder:
    """A folder with bots in it."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.name = _PREFIX + _digest(self.path)
        self.builtins: dict[str, Any] = {**vars(builtins), "__import__": self._import}
        self._has: dict[str, bool] = {}
        self._searched = self.path in map(os.path.realpath, sys.path)
        sys.modules[self.name] = module_from_spec(self._spec())

    def _spec(self) -> ModuleSpec:
        spec = ModuleSpec(self.name, None, is_package=True)
        spec.submodule_search_locations = [self.path]
        return spec

    def has(self, name: str) -> bool:
        """Whether a module of this name lies here and is the one to be imported."""
        if name not in self._has:
            self._has[name] = self._looks(name)
        return self._has[name]

    def _looks(self, name: str) -> bool:
        if name in _SHARED:
            return False
        here = PathFinder.find_spec(f"{self.name}.{name}", [self.path])
        if here is None:
            return False
        if here.origin is None:  # a folder without an __init__.py comes last everywhere
            return _elsewhere(name) is None
        if self._searched:  # a second copy of what can be imported anyway would be another thing
            there = _elsewhere(name)
            return there is None or there.origin != here.origin
        return True

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        first = name.partition(".")[0]
        if level or not self.has(first):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        found = builtins.__import__(f"{self.name}.{name}", globals, locals, fromlist or (), 0)
        return found if fromlist else sys.modules[f"{self.name}.{first}"]


_folders: dict[str, _Folder] = {}


class _OwnLoader(Loader):
    """Loads a module as another loader does, with the imports of its folder."""

    def __init__(self, loader: Loader, folder: _Folder) -> None:
        self._loader = loader
        self._folder = folder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = self._folder.builtins
        self._loader.exec_module(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Finder(MetaPathFinder):
    """Finds the modules of folders under their full names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        folder = _folder_of(fullname)
        if folder is None:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _OwnLoader(spec.loader, folder)
        return spec


class _Refusal(MetaPathFinder):
    """Comes last: a neighbour that is asked for by its name as a text would be everybody's."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        frame = sys._getframe(1)
        while frame.f_back is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        folder = _folder_of(str(frame.f_globals.get("__name__")))
        if path is None and folder is not None and folder.has(fullname):
            raise ModuleNotFoundError(
                f"{fullname} lies beside the bot: import it with a statement"
                f" or as import_module('.{fullname}', __package__)",
                name=fullname,
            )
        return None


def load_file(path: Path) -> ModuleType:
    """The module in a file. It is made once; whatever its code raises is passed on."""
    path = path.resolve()
    if not _folders:
        sys.meta_path.insert(0, _Finder())
        sys.meta_path.append(_Refusal())
    key = _PREFIX + _digest(str(path.parent))
    folder = _folders.get(key) or _folders.setdefault(key, _Folder(path.parent))
    name = f"{folder.name}.{path.stem}"
    found = PathFinder.find_spec(name, [folder.path])
    if found is None or found.origin != str(path):  # the name stands for something else, such as a package
        name = f"{folder.name}.file_{_digest(path.name)}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    spec.loader = _OwnLoader(spec.loader, folder)
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


def _folder_of(name: str) -> _Folder | None:
    return _folders.get(name.partition(".")[0]) if name.startswith(_PREFIX) else None


def _elsewhere(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:16]
