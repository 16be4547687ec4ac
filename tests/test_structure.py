"""The structure of the code: layers, exports of packages, and stable public names."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import networkx as nx
import pytest

import jigsat
from jigsat.instance import families

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "jigsat"


def test_imports_run_downward() -> None:
    """The contract is in pyproject.toml; a package that it does not list also breaks it."""
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def imports(path: Path) -> Iterator[str]:
    """The modules from which a file imports something."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


@pytest.mark.parametrize("folder", [PACKAGE, ROOT / "encodings"], ids=lambda folder: folder.name)
def test_modules_with_an_underscore_stay_in_their_package(folder: Path) -> None:
    for path in folder.rglob("*.py"):
        own = "jigsat." + path.relative_to(folder).parts[0]
        for module in imports(path):
            if module.startswith("jigsat.") and not module.startswith((own, "jigsat._cover")):
                assert not any(part.startswith("_") for part in module.split(".")), (
                    f"{path} imports {module}"
                )


def list_modules() -> dict[str, Path]:
    """The files of all modules by their full names."""
    folders = {"jigsat": PACKAGE, "jigsat.encodings": ROOT / "encodings"}
    modules = {}
    for prefix, folder in folders.items():
        for path in folder.rglob("*.py"):
            name = ".".join([prefix, *path.relative_to(folder).with_suffix("").parts])
            modules[name.removesuffix(".__init__")] = path
    return modules


def find_circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Groups of names that lead to each other."""
    graph = nx.DiGraph((one, other) for one, other in edges if one != other)
    return [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


def test_no_two_modules_import_each_other() -> None:
    """Not in a circle either, and imports inside functions count: they only spare a library that a
    run may not need."""
    modules = list_modules()
    assert len(modules) > 200
    assert not find_circles(
        (name, other) for name, path in modules.items() for other in imported(path, modules)
    )


def test_no_two_packages_import_each_other() -> None:
    """Not in a circle either. So the packages of a layer have an order, too."""

    def package(module: str) -> str:
        return module.split(".")[1] if "." in module else module

    modules = list_modules()
    edges = {
        (package(name), package(other))
        for name, path in modules.items()
        for other in imported(path, modules)
    }
    assert ("answering", "solving") in edges
    assert not find_circles(edges)


def imported(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules among these that a file imports, except for the type checker."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node not in for_types:
            for name in node.names:
                if (found := f"{node.module}.{name.name}") in modules or (
                    found := node.module
                ) in modules:
                    yield found


NAMES_OF_ITS_OWN = {"jigsat.boards.lattice"}
"""Modules that are imported by their own name although their package loads them: cells of lattices
are not cells of boards."""


def test_what_a_package_loads_is_imported_from_the_package() -> None:
    """Only modules that it does not load, so that jigsat starts quickly, are imported by their own
    names."""
    modules = {
        f"jigsat.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}": path
        for path in PACKAGE.rglob("*.py")
    }
    loaded = {name.removesuffix(".__init__"): set(loads(path)) for name, path in modules.items()}
    reached = {
        package: set(reachable(package, loaded)) for package in loaded if package.count(".") == 1
    }
    for path in [*modules.values(), *(ROOT / "encodings").rglob("*.py")]:
        own = path.relative_to(PACKAGE).parts[0] if path.is_relative_to(PACKAGE) else "encodings"
        for module in set(imports(path)) & modules.keys() - NAMES_OF_ITS_OWN:
            _, package, *below = module.split(".")
            if below and package != own:
                assert module not in reached[f"jigsat.{package}"], (
                    f"{path}: import from jigsat.{package}, not {module}"
                )


def reachable(package: str, loaded: dict[str, set[str]]) -> Iterator[str]:
    """The package and its modules that are loaded when it is imported."""
    seen, todo = set[str](), [package]
    while todo:
        if (name := todo.pop()) in loaded and name not in seen and name.startswith(package):
            yield name
            seen.add(name)
            todo += loaded[name]


def loads(path: Path) -> Iterator[str]:
    """The modules that the import of a file imports as well."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_the_pipeline_names_no_family() -> None:
    names = {*families(), *(name.replace("-", "_") for name in families())}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        words |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not words & names, path


def test_public_names_survive_the_import_of_every_submodule() -> None:
    """A submodule with the name of a public function would replace it when it is imported."""
    before = {name: getattr(jigsat, name) for name in jigsat.__all__}
    packages = [
        jigsat,
        *(
            importlib.import_module(m.name)
            for m in pkgutil.iter_modules(jigsat.__path__, "jigsat.")
            if m.ispkg
        ),
    ]
    exported = {
        (package, name): getattr(package, name)
        for package in packages
        for name in getattr(package, "__all__", ())
    }
    for module in pkgutil.walk_packages(jigsat.__path__, "jigsat."):
        importlib.import_module(module.name)
    assert {name: getattr(jigsat, name) for name in jigsat.__all__} == before
    for (package, name), value in exported.items():
        assert getattr(package, name) is value, f"{package.__name__}.{name}"


FAMILIES = ROOT / "encodings"


@pytest.mark.parametrize(
    "path", sorted(FAMILIES.glob("*/check.py")), ids=lambda path: path.parent.name
)
def test_a_check_shares_nothing_with_the_encoding(path: Path) -> None:
    """It imports nothing but the standard library, and only reads the puzzle's data."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        statement
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in typing_only:
            module = node.module or ""
            assert node.level == 0, "an import by its full name"
            assert not module.startswith("jigsat"), f"imports {module}"
        elif isinstance(node, ast.Import):
            assert not any(name.name.startswith("jigsat") for name in node.names)


KINDS = [path for path in sorted(FAMILIES.glob("*.py")) if path.stem != "__init__"]


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.stem)
def test_rules_and_check_of_a_kind_share_no_function(path: Path) -> None:
    """The check of a family in one file uses the plain walks, and nothing that its rules use."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    (family,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and has_rules(node))
    for node in family.body:
        if isinstance(node, ast.FunctionDef) and not is_layer(node):
            functions[node.name] = node
    rules = reached("constrain", functions)
    check = reached("find_faults", functions) | reached("full_clues", functions)
    assert not rules & check

    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jigsat")
        for alias in node.names
    }
    for name in check - {"find_faults", "full_clues"}:
        used = {
            node.id
            for line in functions[name].body
            for node in ast.walk(line)
            if isinstance(node, ast.Name)
        }
        assert used & imported <= {"walks"}, f"{name} uses more of jigsat than the walks"


def has_rules(node: ast.ClassDef) -> bool:
    return any(isinstance(part, ast.FunctionDef) and part.name == "constrain" for part in node.body)


def is_layer(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "layer" for mark in node.decorator_list)


def reached(start: str, functions: Mapping[str, ast.FunctionDef]) -> set[str]:
    """The functions and methods of a file that one of them uses, directly or not."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        name = todo.pop()
        if name in functions and name not in seen:
            seen.add(name)
            for node in ast.walk(functions[name]):
                if isinstance(node, ast.Name):
                    todo.append(node.id)
                elif isinstance(node, ast.Attribute):
                    todo.append(node.attr)
    return seen


def test_the_plain_walks_import_nothing_of_jigsat() -> None:
    modules = set(imports(PACKAGE / "kit" / "walks.py"))
    assert not any(module.startswith("jigsat") for module in modules)


def test_solver_libraries_are_used_only_through_backends() -> None:
    """Only `backends` imports solver libraries, and no other package imports its modules that offer
    backends."""
    libraries = ("pysat", "z3", "clingo", "ortools", "pycryptosat")
    offering = [f"jigsat.backends.{name}" for name in backend_modules()]
    assert "jigsat.backends.pysat" in offering
    cardinality_encodings = (PACKAGE / "formula" / "lowering.py", "pysat.card")
    for path in [*PACKAGE.rglob("*.py"), *(ROOT / "encodings").rglob("*.py")]:
        if not path.is_relative_to(PACKAGE / "backends"):
            for module in imports(path):
                assert (
                    module.split(".")[0] not in libraries or (path, module) == cardinality_encodings
                ), f"{path}: {module}"
                assert module not in offering, f"{path}: {module}"


def backend_modules() -> Iterator[str]:
    """The modules with a function `specs`."""
    for path in (PACKAGE / "backends").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if (
            any(isinstance(node, ast.FunctionDef) and node.name == "specs" for node in tree.body)
            and path.stem != "registry"
        ):
            yield path.stem
