"""Check a certificate of a count: python3 check_count.py [DIRECTORY]. It needs nothing but Python
3.11.

It counts the solutions of `formula.opb` up to the symmetries in `symmetries.json`, by the graphs in
`graphs.txt.xz`, and compares `solutions.json`. docs/proofs.md of jigsat explains the files. They
are read strictly; links and devices are refused. Exit status: 0 verified, 1 refuted,
130 interrupted.
"""

import json
import lzma
import os
import re
import stat
import sys
from collections.abc import Iterator
from operator import add
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

LEVELS = ("nothing", "rotation", "reflection", "all")
MAX_FILE_BYTES = 2**28  # maximum size of a file that is held in memory
NAME = re.compile("x[1-9][0-9]{0,8}")
LIMIT = re.compile("-?[0-9]{1,9}")
Images = tuple[int, ...]  # of the variables, in ascending order
Option = tuple[int, list[int]]  # its items, as bits, and its weight in each bound
State = tuple[int, tuple[int, ...]]  # the open items, as bits, and the numbers of the bounds


class Constraint(NamedTuple):
    """At least `low` and at most `high` of these variables are true."""

    variables: frozenset[int]
    low: int
    high: int


class Refuted(Exception):
    """The certificate does not prove what it states; the message says why."""


def refuse(reason: str) -> NoReturn:
    raise Refuted(reason)


def open_file(path: Path) -> BinaryIO:
    """A file of the certificate. A link or a device could be endless, or show another file."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        refuse(f"{path.name}: not a regular file; links are not followed")
    return path.open("rb")


def read_text(path: Path) -> str:
    with open_file(path) as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        refuse(f"{path.name}: larger than {MAX_FILE_BYTES // 2**20} MiB")
    return content.decode("utf-8")


def read_json(path: Path) -> Any:
    """The value of a JSON file in which no key is given twice and each number is whole."""

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            refuse(f"{path.name}: a key is given twice")
        return dict(pairs)

    def refuse_number(text: str) -> NoReturn:
        refuse(f"{path.name}: {text[:20]} is not a whole number")

    return json.loads(
        read_text(path),
        object_pairs_hook=read_object,
        parse_float=refuse_number,
        parse_constant=refuse_number,
    )


def read_entries(path: Path, value: Any, *names: str) -> list[Any]:
    """The values of an object that has exactly these keys."""
    if not isinstance(value, dict) or value.keys() != {*names}:
        refuse(f"{path.name}: not an object with the keys {', '.join(names)}")
    return [value[name] for name in names]


def read_formula(path: Path) -> list[Constraint]:
    *lines, rest = read_text(path).split("\n")
    if rest:
        refuse(f"{path.name}: the end of the last line is missing")
    formula = []
    for number, line in enumerate(lines, 1):
        if line.startswith(("*", "min:")):
            continue
        constraint = read_constraint(line)
        if constraint is None:
            refuse(
                f"{path.name}: line {number} is not a sum of variables with one sign and a limit"
            )
        formula.append(constraint)
    return formula


def read_constraint(line: str) -> Constraint | None:
    """A line such as `+1 x3 +1 x5 = 1 ;`, or None if it is not of this form. An upper bound is
    written with negative signs: `-1 x3 -1 x5 >= -1 ;`."""
    *terms, relation, limit, end = line.split(" ")
    signs = set(terms[::2])
    variables = frozenset(int(name[1:]) for name in terms[1::2] if NAME.fullmatch(name))
    if end != ";" or not LIMIT.fullmatch(limit):
        return None
    if not variables or len(terms) != 2 * len(variables):  # another name, or one that is repeated
        return None
    if signs == {"+1"} and relation == "=":
        return Constraint(variables, int(limit), int(limit))
    if signs == {"+1"} and relation == ">=":
        return Constraint(variables, int(limit), len(variables))
    if signs == {"-1"} and relation == ">=":
        return Constraint(variables, 0, -int(limit))
    return None


def read_symmetries(
    path: Path, formula: list[Constraint]
) -> tuple[list[int], list[Images], list[str]]:
    """The variables in ascending order; for each symmetry their images, which must map the formula
    to itself; and for each symmetry its level."""
    variables, symmetries = read_entries(path, read_json(path), "variables", "symmetries")
    if not all(type(variable) is int for variable in variables):
        refuse(f"{path.name}: a variable is not a number")
    if variables != sorted(set(variables)):
        refuse(f"{path.name}: the variables are not in ascending order")
    permutations: list[Images] = []
    levels: list[str] = []
    for number, entry in enumerate(symmetries, 1):
        level, images = read_entries(path, entry, "level", "images")
        if not all(type(image) is int for image in images) or sorted(images) != variables:
            refuse(f"{path.name}: symmetry {number} is not a permutation of the variables")
        if level not in LEVELS:
            refuse(f"{path.name}: symmetry {number} has no level")
        if not preserves(formula, with_slacks(formula, dict(zip(variables, images, strict=True)))):
            refuse(f"{path.name}: symmetry {number} does not map the formula to itself")
        permutations.append(tuple(images))
        levels.append(level)
    return variables, permutations, levels


def preserves(formula: list[Constraint], image_of: dict[int, int]) -> bool:
    """Whether this is a permutation that maps each constraint to a constraint of the formula. A
    variable without an image stays."""
    if set(image_of) != set(image_of.values()):
        return False
    constraints = set(formula)
    for constraint in formula:
        images = frozenset(image_of.get(variable, variable) for variable in constraint.variables)
        if constraint._replace(variables=images) not in constraints:
            return False
    return True


def with_slacks(formula: list[Constraint], image_of: dict[int, int]) -> dict[int, int]:
    """A permutation of the variables that a puzzle is about, with the images of those that only
    name what is left over: each is the only other variable of an exactly-one constraint, and its
    image is the one that completes the image of this constraint."""
    slacks: dict[frozenset[int], list[int]] = {}  # by the other variables of their constraints
    for constraint in formula:
        others = constraint.variables.intersection(image_of)
        if constraint.low == constraint.high == 1 and len(constraint.variables) == len(others) + 1:
            slacks.setdefault(others, []).extend(constraint.variables - others)
    extended = dict(image_of)
    for others, own in slacks.items():
        images = slacks.get(frozenset(image_of[variable] for variable in others), [])
        extended.update(zip(own, images, strict=False))
    return extended


def is_group(elements: set[Images], place: dict[int, int]) -> bool:
    """Whether these permutations contain the identity and are closed; `place` is the place of each
    variable in them."""
    reached = {tuple(place)}
    generators: list[Images] = []
    for element in elements:
        if element not in reached:
            generators.append(element)
            queue = list(reached)
            for one in queue:  # grows during the loop
                new = {tuple([g[place[x]] for x in one]) for g in generators} - reached
                if not new <= elements:
                    return False
                reached |= new
                queue += new
    return reached == elements


class Cover:
    """The problem in which variables that a permutation maps to each other are one option, ordered
    by the smallest of them."""

    def __init__(self, formula: list[Constraint], to: dict[int, int]) -> None:
        # for each its options: their items and weights
        self.items: dict[int, list[Option]] = {
            at: [] for at, each in enumerate(formula) if each.low == each.high == 1
        }
        self.bounds = [each for at, each in enumerate(formula) if at not in self.items]
        self.counted: list[list[tuple[int, int]]] = [[] for _ in self.bounds]
        seen: set[int] = set()
        for variable in sorted(set().union(*(each.variables for each in formula))):
            orbit: set[int] = set()
            x = variable
            while x not in seen:
                seen.add(x)
                orbit.add(x)
                x = to.get(x, x)
            if not orbit or any(len(each.variables & orbit) > each.high for each in formula):
                continue  # if its weight exceeds a limit, the option is in no solution
            items = [at for at in self.items if formula[at].variables & orbit] or refuse(
                f"variable {variable} is in no item"
            )
            option = (
                sum(1 << at for at in items),
                [len(bound.variables & orbit) for bound in self.bounds],
            )
            for at in items:
                self.items[at].append(option)
            for counted, weight in zip(self.counted, option[1], strict=True):
                if weight:
                    counted.append((option[0], weight))

    def cap_state(self, items: int, numbers: list[int]) -> State | None:
        """The state with these open items and numbers of bounds; None if a bound cannot be met."""
        for at, (_, low, high) in enumerate(self.bounds):
            most = numbers[at] + sum(
                [weight for needed, weight in self.counted[at] if needed & items == needed]
            )
            if numbers[at] > high or most < low:
                return None
            if most <= high:
                numbers[at] = min(numbers[at], low)
        return items, tuple(numbers)

    def children(self, items: int, numbers: tuple[int, ...], item: int) -> list[State]:
        """The states after each option of the item that fits."""
        fitting = [option for option in self.items[item] if option[0] & items == option[0]]
        if not self.bounds:
            return [(items - its, ()) for its, _ in fitting]
        return [
            *filter(
                None,
                (
                    self.cap_state(items - its, [*map(add, numbers, weights)])
                    for its, weights in fitting
                ),
            )
        ]


def read_node(line: bytes) -> list[int]:
    """The numbers of a node, its item and its children."""
    words = line.split()
    if len(words) < 2 or not all(word.isdigit() and len(word) < 19 for word in words):
        refuse(f"graphs.txt.xz: {line[:60].decode('ascii', 'replace')!r} is not the line of a node")
    return [*map(int, words)]


def count(cover: Cover, graph: Iterator[bytes]) -> int:
    """The number of solutions, by the lines of a graph: the number of ways from its first node to a
    solution."""
    start = cover.cap_state(sum(1 << at for at in cover.items), [0] * len(cover.bounds))
    solutions = 0
    newest = 1
    # nodes whose lines follow: the state, and the number of ways to it
    waiting = {newest: (*start, 1)} if start else {}
    while waiting:
        node, item, *listed = read_node(next(graph, b""))
        if node not in waiting:
            refuse(f"node {node} is no child of an earlier node, or has a second line")
        items, numbers, ways = waiting.pop(node)
        if item - 1 not in cover.items or not items >> item - 1 & 1:
            refuse(f"node {node}: constraint {item} is not an open item")
        children = cover.children(items, numbers, item - 1)
        if len(listed) != len(children):
            refuse(f"node {node} has {len(listed)} children and should have {len(children)}")
        for child, after in zip(listed, children, strict=True):
            if child == 0 and after[0] == 0:
                solutions += ways
            elif child == newest + 1 and after[0]:
                newest = child
                waiting[child] = (*after, ways)
            elif child in waiting and waiting[child][:2] == after:
                waiting[child] = *after, waiting[child][2] + ways
            else:
                refuse(f"node {node}: its child cannot be {child}")
    return solutions


def read_lines(path: Path) -> Iterator[bytes]:
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=2**26)
    rest = b""
    with open_file(path) as file:
        while not unpacker.eof:
            packed = unpacker.needs_input and (
                file.read(2**16) or refuse(f"{path.name}: the end is missing")
            )
            try:
                unpacked = unpacker.decompress(packed or b"", 2**16)
            except (lzma.LZMAError, EOFError):
                refuse(f"{path.name}: damaged: it cannot be unpacked by xz")
            *lines, rest = (rest + unpacked).split(b"\n")
            yield from lines
            if len(rest) > 2**20:
                refuse(f"{path.name}: a line is too long")
        if rest or unpacker.unused_data or file.read(1):
            refuse(f"{path.name}: something follows after the last line")


def verify(directory: Path) -> tuple[dict[str, int], dict[str, int]]:
    """The number of solutions at each level with symmetries of its own, and the orders of their
    groups."""
    formula = read_formula(directory / "formula.opb")
    variables, permutations, levels = read_symmetries(directory / "symmetries.json", formula)
    place = {variable: at for at, variable in enumerate(variables)}
    fixed = count_fixed(directory, formula, variables, permutations)
    counts: dict[str, int] = {}
    orders: dict[str, int] = {}
    for at, level in enumerate(LEVELS):
        group = {
            permutation
            for permutation, own_level in zip(permutations, levels, strict=True)
            if LEVELS.index(own_level) <= at
        }
        if not is_group(group, place) or not group <= fixed.keys():
            refuse(
                f"the symmetries of the level {level} are not a group, or the graph of one is "
                f"missing"
            )
        if len(group) > max(orders.values(), default=0):
            # the lemma that is not Burnside's
            counts[level] = sum(fixed[permutation] for permutation in group) // len(group)
            orders[level] = len(group)
    return counts, orders


def count_fixed(
    directory: Path, formula: list[Constraint], variables: list[int], permutations: list[Images]
) -> dict[Images, int]:
    """For each symmetry the number of solutions that it maps to themselves, counted by the graphs.
    Conjugate symmetries have the same number, so one graph serves all of them."""
    place = {variable: at for at, variable in enumerate(variables)}
    # an inverse is a list of places: where in the images each variable is
    inverses = [sorted(place.values(), key=images.__getitem__) for images in permutations]
    fixed: dict[Images, int] = {}
    graphs = read_lines(directory / "graphs.txt.xz")
    for line in graphs:
        images = find_symmetry(line, permutations)
        if images is None or images in fixed:
            shown = line[:60].decode("ascii", "replace")
            refuse(f"graphs.txt.xz: {shown!r} is not the next symmetry")
        image_of = with_slacks(formula, dict(zip(variables, images, strict=True)))
        solutions = count(Cover(formula, image_of), graphs)
        for other, inverse in zip(permutations, inverses, strict=True):
            conjugate = tuple([other[place[images[at]]] for at in inverse])
            fixed[conjugate] = solutions
    return fixed


def find_symmetry(line: bytes, permutations: list[Images]) -> Images | None:
    """The symmetry of a line such as `symmetry 3`."""
    word, _, number = line.partition(b" ")
    if word != b"symmetry" or not number.isdigit() or len(number) > 18:
        return None
    if not 1 <= int(number) <= len(permutations):
        return None
    return permutations[int(number) - 1]


def compare(path: Path, counts: dict[str, int], orders: dict[str, int]) -> None:
    """Compare solutions.json with the numbers of solutions and the orders of the groups."""
    keys = ("instance", "file", "sha256", "solutions", "distinct", "symmetries")
    *words, solutions, distinct, stated_orders = read_entries(path, read_json(path), *keys)
    if not all(isinstance(word, str) for word in words):
        refuse(f"{path.name}: instance, file and sha256 must be texts")
    instance = path.with_name(words[1])
    if instance.name != words[1] or not stat.S_ISREG(os.lstat(instance).st_mode):
        refuse(f"{path.name}: its file is not a regular file beside it")
    listed = [solutions, *distinct.values(), *stated_orders.values()]
    if not all(type(number) is int for number in listed):
        refuse(f"{path.name}: a count is not a whole number")
    if counts != {LEVELS[0]: solutions, **distinct}:
        refuse(f"{path.name} states other counts than {counts}")
    if stated_orders != {level: orders[level] for level in distinct}:
        refuse(f"{path.name} states other orders of the groups than {orders}")


def main(directory: Path) -> None:
    try:
        counts, orders = verify(directory)
        compare(directory / "solutions.json", counts, orders)
    except Refuted as reason:
        sys.exit(f"refuted: {reason}")
    except KeyboardInterrupt:
        print("stopped: nothing is verified", file=sys.stderr)
        sys.exit(130)
    except MemoryError:
        sys.exit("refuted: there is not enough memory")
    except (
        AttributeError,
        EOFError,
        LookupError,
        OSError,
        RecursionError,
        TypeError,
        ValueError,
        lzma.LZMAError,
    ) as error:
        sys.exit(f"refuted: a file is missing or damaged: {str(error)[:200]!r}")
    print(
        "\n".join(
            f"{number} {f'up to {level}' if level in LEVELS[1:] else 'solutions'}"
            for level, number in counts.items()
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
