"""Compile the hot modules of the rules where a C compiler is found; without one they run as plain Python."""

import os
import sys

from setuptools import Extension, setup

MODULES = [
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
    "rules.modules.banquet",
    "rules.modules.good_company",
    "rules.modules.assistants",
    "rules.modules.events",
    "rules.modules.assignments",
    "rules.modules.obstacles",
    "rules.full",
    "rules.unknown",
    "encoding",
    "bots.core.features",
    "bots.core.heuristic",
    "bots.core.policy_gradient",
    "bots.core.net",
    "bots.core.tree",
    "envs.batch",
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


def extensions() -> list[Extension]:
    """The modules to compile."""
    if os.environ.get("NEVSKY_PURE"):
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        print("warning: without Cython the rules stay uncompiled and more than fifty times slower", file=sys.stderr)
        return []
    flags = [] if os.name == "nt" else ["-O3"]
    found = cythonize(
        [
            Extension(f"nevsky.{name}", [f"src/nevsky/{name.replace('.', '/')}.py"], extra_compile_args=flags)
            for name in MODULES
        ],
        include_path=["src"],
        compiler_directives=DIRECTIVES,
        build_dir="build",
        quiet=True,
    )
    for extension in found:
        extension.optional = True  # set here: cythonize() drops it when it is given to Extension()
    return found


setup(ext_modules=extensions())
