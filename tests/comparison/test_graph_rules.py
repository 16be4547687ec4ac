"""How rules about graphs reach a solver, as comparisons state it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.inside import run

import jigsat
from jigsat.comparison.tasks import Trial, answer
from jigsat.services.compare import CompareRequest, Comparison


@pytest.mark.parametrize(
    ("instance", "backend", "graphs"),
    [
        ("slitherlink-4", "cadical195", "lazy"),
        ("slitherlink-4", "clingo", "eager"),
        ("cats", "cadical195", ""),
    ],
)
def test_lazy_and_eager_rules(instance: str, backend: str, graphs: str) -> None:
    *_, last = answer(jigsat.load(instance), Trial(backend, "", "", "first"))
    assert last.solutions == 1
    assert last.graphs == graphs
    assert ("cuts" in last.statistics) == ("cuts_ms" in last.statistics) == (graphs == "lazy")


def test_both_ways_are_compared_where_they_differ() -> None:
    names = ["slitherlink-4", "cats", "--backends", "cadical195,clingo", "--task", "first"]
    done = run("compare", *names, "--graph-rules", "lazy,eager", "--json")
    assert done.returncode == 0, done.stderr
    runs = json.loads(done.stdout)["runs"]
    chosen = [(x["instance"], x["backend"], x["graph_rules"], x["graphs"]) for x in runs]
    assert chosen == [
        ("slitherlink-4", "cadical195", "lazy", "lazy"),
        ("slitherlink-4", "cadical195", "eager", "eager"),
        ("slitherlink-4", "clingo", "eager", "eager"),
        ("cats", "cadical195", "", ""),
        ("cats", "clingo", "", ""),
    ]
    lazy, eager, *_ = runs
    assert lazy["clauses"] < eager["clauses"]
    assert eager["cuts"] is None


@pytest.mark.parametrize("ways", [[], ["lazy", "eager"]])
def test_a_formula_is_made_once_before_its_runs(
    ways: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read for its hash and for its rules about graphs."""
    calls = tmp_path / "calls"
    puzzle = jigsat.load("slitherlink-4")
    encode = type(puzzle).encode

    def note_call(self: jigsat.Puzzle) -> jigsat.Formula:
        with calls.open("a") as file:
            file.write("call\n")
        return encode(self)

    monkeypatch.setattr(type(puzzle), "encode", note_call)
    request = CompareRequest({"slitherlink-4": puzzle}, ["cadical195"], graph_rules=ways)
    runs = {run.identity: run for run in Comparison(request)}
    assert [run.status for run in runs.values()] == ["complete"] * len(ways or [""])
    assert len(calls.read_text().splitlines()) == 1 + len(runs)


@pytest.mark.parametrize(
    ("ways", "message"),
    [
        ("lazy", "graph rules: no instance has rules about graphs"),
        ("some", "unknown way of graph rules 'some'; use one of 'lazy', 'eager'"),
    ],
)
def test_wrong_ways_of_graph_rules_are_refused(ways: str, message: str) -> None:
    done = run("compare", "cats", "--backends", "cadical195", "--graph-rules", ways)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
