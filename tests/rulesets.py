"""The configurations that golden playthroughs, node counts and the harness go through."""

from __future__ import annotations

from nevsky import Ruleset

BASE = {f"{edition}-{players}": Ruleset(edition, players) for edition in ("first", "second") for players in (2, 3, 4)}
MARKET = {f"market-{players}": Ruleset("second", players, market=True) for players in (2, 3, 4, 5)}
MODULES = {
    "module-1": Ruleset("second", 3, modules=(1,)),
    "module-2": Ruleset("second", 3, modules=(2,)),
    "module-1-market": Ruleset("second", 4, market=True, modules=(1,)),
    "module-2-market": Ruleset("second", 4, market=True, modules=(2,)),
    **{f"module-{module}": Ruleset("second", 4, market=True, modules=(module,)) for module in (3, 4, 5, 6)},
    "module-2-subset": Ruleset("second", 2, modules=(2,), good_company=("debtors_prison", "guild_hall", "sycophant")),
    "module-6-all-real": Ruleset("second", 3, market=True, modules=(6,), real_obstacles=5),
    "modules-1-2": Ruleset("second", 4, modules=(1, 2)),
}
ALL_MODULES = {
    f"all-modules-{players}": Ruleset("second", players, market=True, modules=(1, 2, 3, 4, 5, 6))
    for players in (2, 3, 4, 5)
}
CONFIGURATIONS: dict[str, Ruleset] = {**BASE, **MARKET, **MODULES, **ALL_MODULES}
