"""Mistakes of a family's author: one line on the command line, and the original exception from
Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import model_validator
from support.inside import jigsat as command

import jigsat
from jigsat.errors import FamilyError
from jigsat.instance import registry


class Heads(NamedTuple):
    coin: int


class Coins(jigsat.Puzzle[Heads]):
    """Coins of which two show heads."""

    family = "coins"
    cell_field = "coin"

    number: int

    def encode(self) -> jigsat.Formula:
        formula = jigsat.Formula()
        heads = formula.variables("heads", ["coin"], [Heads(coin) for coin in range(self.number)])
        formula.exactly(2, heads[:])
        return formula

    def check(self, placements: Any) -> Iterator[str]:
        if len(set(placements)) != 2:
            yield "not two heads"


def keys(*made: Any) -> Callable[[Any], jigsat.Formula]:
    """An `encode` whose decision variables have these keys."""

    def encode(_: Any) -> jigsat.Formula:
        formula = jigsat.Formula()
        formula.variables("heads", [f"axis{i}" for i in range(len(made[0]))], made)
        return formula

    return encode


def late(*_: Any) -> Iterator[str]:
    yield from ()
    raise ZeroDivisionError


@pytest.fixture
def coins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "_registered", {})
    path = tmp_path / "three.toml"
    path.write_text('family = "coins"\nnumber = 3\n')
    return path


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "encode returns nothing": (
        {"encode": lambda _: None},
        "Fault.encode returns None instead of a Formula",
    ),
    "encode returns a list": (
        {"encode": lambda _: [1]},
        "Fault.encode returns the list [1] instead of a Formula",
    ),
    "encode raises": (
        {"encode": lambda _: dict[str, int]()["a"]},
        "Fault.encode: KeyError: a (test_families.py, line ",
    ),
    "a misspelt cell": (
        {"cell_field": "coins"},
        "Fault.cell_field: Heads has no field 'coins'; it has coin",
    ),
    "a misspelt piece": (
        {"piece_field": "side"},
        "Fault.piece_field: Heads has no field 'side'; it has coin",
    ),
    "plain tuples": (
        {"encode": keys((1,))},
        "Fault.encode: the key (1,) of a decision variable is not a NamedTuple",
    ),
    "a key that is no tuple": (
        {"encode": lambda _: jigsat.Formula().variables("x", ["i"], [3])},  # type: ignore[list-item]
        "Fault.encode: TypeError: x: a key is a tuple with one value per axis; got 3 "
        "(test_families.py, line ",
    ),
    "check returns a sentence": (
        {"check": lambda *_: "wrong"},
        "Fault.check returns the str 'wrong' instead of sentences; yield one for each broken rule",
    ),
    "check returns nothing": (
        {"check": lambda *_: None},
        "Fault.check returns None instead of sentences; yield one",
    ),
    "check returns numbers": (
        {"check": lambda *_: [3]},
        "Fault.check yields the int 3 instead of sentences; yield one",
    ),
    "check raises late": (
        {"check": late},
        "Fault.check: ZeroDivisionError (test_families.py, line ",
    ),
    "no symmetries": (
        {"symmetries": lambda _: [7]},
        "Fault.symmetries yields the int 7 instead of jigsat.Symmetry objects",
    ),
    "no permutation": (
        {"symmetries": lambda _: [jigsat.Symmetry("rotation", {Heads(0): Heads(1)})]},
        "one of the level rotation does not permute the placements of decision variables: "
        "Heads(coin=1) has no image",
    ),
    "another placement": (
        {
            "symmetries": lambda _: [
                jigsat.Symmetry("rotation", {Heads(c): Heads(9 - 9 * c) for c in range(3)})
            ]
        },
        "symmetries: one of the level rotation does not permute the placements of decision "
        "variables: Heads(coin=",
    ),
    "text returns nothing": ({"text": lambda *_: None}, "Fault.text returns None instead of text"),
    "a validator raises": (
        {"late": model_validator(mode="after")(lambda _: 1 // 0)},
        "three.toml: Fault: ZeroDivisionError: integer division or modulo by zero "
        "(test_families.py, line ",
    ),
}


def faulty(changes: dict[str, Any]) -> None:
    jigsat.register(
        type("Fault", (Coins,), {**changes, "__module__": __name__, "__annotations__": {}})
    )


@pytest.mark.parametrize(("changes", "says"), FAULTS.values(), ids=FAULTS.keys())
def test_an_authors_mistake_is_one_line(
    changes: dict[str, Any], says: str, coins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty(changes)
    done = command(capsys, "solve", coins)
    assert (done.status, done.err.count("\n")) == (2, 1), done.err
    assert says in done.err and done.err.startswith("jigsat: ")


def test_the_cause_is_kept_in_python(coins: Path) -> None:
    faulty({"encode": lambda _: 1 // 0})
    with pytest.raises(FamilyError) as caught:
        jigsat.count(coins)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_errors_for_the_user_and_lack_of_memory_pass(coins: Path) -> None:
    for error in (
        jigsat.InputError("the coins are bent"),
        jigsat.Stopped("timeout"),
        MemoryError(),
    ):

        def encode(_: Any, error: Exception = error) -> jigsat.Formula:
            raise error

        faulty({"encode": encode})
        with pytest.raises(type(error)) as caught:
            jigsat.load(coins).encode()
        assert caught.value is error


def test_a_faultless_family_is_not_disturbed(coins: Path) -> None:
    jigsat.register(Coins)
    assert jigsat.count(coins).solutions == 3
    assert Coins.encode.__name__ == "encode" and list(jigsat.load(coins).check([])) == [
        "not two heads"
    ]
