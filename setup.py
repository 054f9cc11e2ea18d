"""Compile the hot modules of the rules where a C compiler is found; without one they run as plain Python."""

import multiprocessing
import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))  # a build does not look for modules here by itself

from tools.package_page import page, urls  # noqa: E402

ADDRESS = os.environ.get("NEVSKY_ADDRESS", "").rstrip("/")
VERSION = (ROOT / "src/nevsky/_version.py").read_text(encoding="utf-8").split('"')[-2]

MODULES = [
    "rules.fields",
    "rules.rng",
    "rules.tables",
    "rules.state",
    "rules.scoring",
    "rules.prices",
    "rules.legal",
    "rules.turns",
    "rules.position",
    "rules.flow",
    "rules.market",
    "rules.modules.banquet.rules",
    "rules.modules.good_company.rules",
    "rules.modules.assistants.rules",
    "rules.modules.events.rules",
    "rules.modules.assignments.rules",
    "rules.modules.obstacles.rules",
    "rules.course",
    "rules.redealer",
    "rules.glance",
    "encoding",
    "bots.core.features",
    "bots.core.heuristic",
    "bots.core.policy_gradient",
    "bots.core.net",
    "bots.core.policy_net",
    "bots.core.tree",
    "envs.rivals",
    "envs.chronicle",
    "envs.wages",
    "envs.witness",
    "envs.croupier",
    "envs.games",
    "server.own_part",
    "server.patches",
]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "auto_pickle": False,
    "annotation_typing": False,
    "infer_types": True,
}


def source(name: str) -> str:
    """The file to compile: the same one that runs uncompiled, unless a .pyx stands for it."""
    path = f"src/nevsky/{name.replace('.', '/')}"
    return f"{path}.pyx" if Path(f"{path}.pyx").exists() else f"{path}.py"


def forget_others() -> None:
    """Remove what was compiled when the list was another one: Python would take it in place of the source."""
    package = ROOT / "src" / "nevsky"
    for path in [*package.rglob("*.so"), *package.rglob("*.pyd")]:
        if ".".join([*path.relative_to(package).parts[:-1], path.name.partition(".")[0]]) not in MODULES:
            path.unlink()


def cores() -> int:
    """How many compilers run at once: at most eight, since each needs some hundred megabytes."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(usable or 1, 8)


def translators() -> int:
    """How many processes translate to C, or 0 where they cannot be forked: others would run this file once more."""
    if sys.platform != "linux":
        return 0
    try:
        multiprocessing.set_start_method("fork", force=True)
        multiprocessing.Lock()
    except (ImportError, OSError):
        return 0  # no shared memory here
    return cores()


def extensions() -> list[Extension]:
    """The modules to compile."""
    if os.environ.get("NEVSKY_PURE"):
        return []
    forget_others()
    try:
        from Cython.Build import cythonize
    except ImportError:
        print("warning: without Cython the rules stay uncompiled and more than fifty times slower", file=sys.stderr)
        return []
    # What a debugger reads would be two thirds of a wheel, and warnings are about C that Cython wrote.
    flags = [] if os.name == "nt" else ["-O3", "-g0", "-Wno-sign-compare"]
    found = cythonize(
        [Extension(f"nevsky.{name}", [source(name)], extra_compile_args=flags) for name in MODULES],
        include_path=["src"],
        compiler_directives=DIRECTIVES,
        build_dir="build",
        nthreads=translators(),
        quiet=True,
    )
    for extension in found:
        extension.optional = True  # set here: cythonize() drops it when it is given to Extension()
    return found


class Compile(build_ext):
    """Several modules at once, unless somebody says how many."""

    def finalize_options(self) -> None:
        """As usual, and one for each core."""
        super().finalize_options()
        if self.parallel is None:
            self.parallel = cores()


class Wheel(bdist_wheel):
    """A wheel brings the web app along: without it the server would have no pages."""

    def run(self) -> None:
        """As usual, if the web app was built."""
        if not Path("src/nevsky/server/static/index.html").is_file() and not os.environ.get("NEVSKY_NO_WEB"):
            raise SystemExit(
                "The web app is not built, so the wheel would be a server without pages. Run make web first, "
                "or set NEVSKY_NO_WEB=1 for a package without it."
            )
        super().run()


setup(
    ext_modules=extensions(),
    cmdclass={"bdist_wheel": Wheel, "build_ext": Compile},
    long_description=page((ROOT / "README.md").read_text(encoding="utf-8"), ADDRESS, VERSION),
    long_description_content_type="text/markdown",
    project_urls=urls(ADDRESS, VERSION),
)
