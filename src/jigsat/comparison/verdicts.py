"""Which answers of a comparison are wrong, and which contradict each other.

Every solution that a run finds is checked, so it is a proof that it exists. That there are no
others is the word of the solver. So a count is established if two say the same independently of
each other, and one of them either listed and checked as many solutions, or is the file of the
instance with the source of its counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jigsat.backends import AUTO
from jigsat.comparison.matrix import Run
from jigsat.comparison.scores import count_by_name, group_by
from jigsat.comparison.tasks import LISTING_TASKS, MODELS_FOR, Compared
from jigsat.puzzle import Puzzle
from jigsat.words import plural

FILE = "the file"  # the name of the instance's file, beside those of choices


@dataclass
class Witnesses:
    """Who says that a number is the count, independently of each other: the names of choices by
    their backend, and the file. `has_evidence` says that one of them listed and checked as many
    solutions, or that the file has a source."""

    names: dict[str, str] = field(default_factory=dict)
    has_evidence: bool = False

    @property
    def agree(self) -> bool:
        """Whether they establish the count."""
        return self.has_evidence and len(self.names) > 1


@dataclass(frozen=True)
class Established:
    """An established count, and the names of those who say it."""

    count: int
    names: list[str]


def list_stated(problem: Compared, task: str) -> dict[str, int]:
    """The counts that the file of an instance states, as far as the task can find them."""
    if task == "refute":  # a run that is complete found nothing
        return {}
    stated = problem.known if isinstance(problem, Puzzle) else ()
    known = {level: count for level, count in stated if level != "source" and count is not None}
    most = MODELS_FOR.get(task)
    if most is None:
        return known
    return {"solutions": min(most, known["solutions"])} if "solutions" in known else {}


def judge(ended: Sequence[Run]) -> list[Run]:
    """The runs with what the others show about them.

    One that is proved wrong, because another run found more solutions, has the status 'wrong: …',
    and so has one whose count is not the established one. If counts of runs, or of the file,
    contradict each other and none is established, these runs are `disputed`. An answer is
    `unsupported` if only one solver says that there are no other solutions.
    """
    most = _find_most_solutions(ended)
    further = _find_further(ended)
    judged = []
    for run in ended:
        number, label = most.get(run.combination.instance, (0, ""))
        finder = further.get(_name_formula(run))
        status = run.status
        if _is_refuted(run, number):
            claim = plural(run.solutions, "solution")
            status = f"wrong: it says {claim}, but {label} found {number:,} (checked)"
        elif finder and _claims_no_other(run):
            status = (
                f"wrong: it says that there is no other solution, but {finder} found one (checked)"
            )
        judged.append(replace(run, status=status, disputed=False))
    for alike in _group_by_task(judged).values():
        established = establish_counts(alike)
        for run in alike:
            run.status = _compare_with_established(run, established)
        stated = _collect_counts(alike)
        for run in alike:
            run.disputed = _is_disputed(run, stated, established)
            run.unsupported = _is_unsupported(run, alike)
    return judged


def establish_counts(alike: Sequence[Run]) -> dict[str, Established]:
    """The established counts of an instance, by what is counted. If two contradict each other,
    neither is established."""
    established = {}
    for what, by_count in _find_witnesses(alike).items():
        agreed = [
            Established(count, [*witnesses.names.values()])
            for count, witnesses in by_count.items()
            if witnesses.agree
        ]
        if len(agreed) == 1:
            established[what] = agreed[0]
    return established


def _find_witnesses(alike: Sequence[Run]) -> dict[str, dict[int, Witnesses]]:
    """The witnesses of each number, by what is counted. `auto` is none, because it asks the other
    backends."""
    by_what: dict[str, dict[int, Witnesses]] = {}
    for run in alike:
        if run.task == "refute":
            continue
        if run.source:
            for what, count in run.stated.items():
                witnesses = by_what.setdefault(what, {}).setdefault(count, Witnesses())
                witnesses.names[FILE] = FILE
                witnesses.has_evidence = True
        backend = run.combination.backend
        if run.complete and backend != AUTO:
            for what, count in run.counts.items():
                witnesses = by_what.setdefault(what, {}).setdefault(count, Witnesses())
                witnesses.names.setdefault(backend, run.combination.label)
                witnesses.has_evidence |= run.listed
    return by_what


def _compare_with_established(run: Run, established: Mapping[str, Established]) -> str:
    """The status of a run: 'wrong: …' if a count of it is not the established one."""
    for what, count in _list_final(run).items():
        right = established.get(what)
        if right is not None and count != right.count:
            names = ", ".join(right.names)
            return f"wrong: {what}: it says {count:,}, but {right.count:,} is established ({names})"
    return run.status


def _find_most_solutions(ended: Iterable[Run]) -> dict[str, tuple[int, str]]:
    """For each instance the largest number of solutions that a run found, and its choice."""
    most: dict[str, tuple[int, str]] = {}
    for run in ended:
        name = run.combination.instance
        has_listed = run.task in LISTING_TASKS or run.listed
        is_proof = has_listed and not run.status.startswith("wrong")
        if is_proof and run.solutions > most.get(name, (0, ""))[0]:
            most[name] = run.solutions, run.combination.label
    return most


def _is_refuted(run: Run, existing: int) -> bool:
    """Whether a run ended without some of the solutions that exist."""
    if not run.complete or run.task == "refute":
        return False
    return run.solutions < min(existing, MODELS_FOR.get(run.task, existing))


def _find_further(ended: Iterable[Run]) -> dict[tuple[str, str], str]:
    """By instance and encoding, the first choice that found a solution that was not excluded."""
    further: dict[tuple[str, str], str] = {}
    for run in ended:
        if run.task == "refute" and run.complete and run.solutions:
            further.setdefault(_name_formula(run), run.combination.label)
    return further


def _name_formula(run: Run) -> tuple[str, str]:
    """The instance and the encoding: with the same ones, the same solutions are excluded."""
    return run.combination.instance, run.combination.encoding


def _claims_no_other(run: Run) -> bool:
    return run.task == "refute" and run.complete and not run.solutions


def describe_unsupported(judged: Iterable[Run]) -> str:
    """How many answers are the word of one solver, and of which choice; '' if none."""
    counted = [run for run in judged if run.unsupported and run.repeat > 0]
    if not counted:
        return ""
    names = count_by_name(run.combination.label for run in counted)
    verb = "rests" if len(counted) == 1 else "rest"
    return (
        f"{plural(len(counted), 'answer')} {verb} on the solver's word alone ({names}): that there "
        f"are no other solutions is said by no other backend and by no source in a file"
    )


def list_missed(judged: Iterable[Run]) -> list[str]:
    """One message for each formula of which `auto` missed a solution that `refute` found."""
    return [
        f"{' '.join(filter(None, name))}: auto missed a solution that {finder} found (checked)"
        for name, finder in _find_further(judged).items()
    ]


def _group_by_task(ended: Iterable[Run]) -> dict[tuple[str, str], list[Run]]:
    """The runs whose counts must be equal, by instance and task."""
    return group_by(ended, lambda run: (run.combination.instance, run.task))


def _list_final(run: Run) -> dict[str, int]:
    """The counts that a run states and that cannot grow, by what is counted: of `refute`, the
    solutions that it excludes."""
    if run.task == "refute":
        return {} if run.excluded is None else {"excluded solutions": run.excluded}
    return run.counts if run.complete else {}


def _list_unfinished(run: Run) -> dict[str, int]:
    """What a run had counted when it was stopped."""
    is_stopped = run.possible and not run.complete and not run.status.startswith("wrong")
    return run.counts if is_stopped and run.task != "refute" else {}


def _collect_counts(alike: Sequence[Run]) -> dict[str, dict[int, list[str]]]:
    """Who states which number, by what is counted: the file and the runs."""
    sources: list[tuple[str, Mapping[str, int]]] = [(FILE, run.stated) for run in alike]
    sources += [(run.combination.label, _list_final(run)) for run in alike]
    stated: dict[str, dict[int, list[str]]] = {}
    for label, counts in sources:
        for what, count in counts.items():
            labels = stated.setdefault(what, {}).setdefault(count, [])
            if label not in labels:
                labels.append(label)
    return stated


def _is_disputed(
    run: Run,
    stated: Mapping[str, Mapping[int, Sequence[str]]],
    established: Mapping[str, Established],
) -> bool:
    """Whether another count contradicts one of a run, and none is established."""
    for what in _list_final(run):
        if len(stated[what]) > 1 and what not in established:
            return True
    for what, count in _list_unfinished(run).items():
        if what in stated and count > max(stated[what]):
            return True
    return False


def _is_unsupported(run: Run, alike: Iterable[Run]) -> bool:
    """Whether a run says that there are no other solutions, and no other backend, nor a source in
    the file, says the same. `auto` is no other backend, because it asks them."""
    if not run.complete or not _denies_others(run):
        return False
    if run.source and run.stated.get("solutions") == run.solutions:
        return False
    backends = {run.combination.backend, AUTO}
    return not any(
        other.complete
        and other.combination.backend not in backends
        and (other.solutions, other.excluded) == (run.solutions, run.excluded)
        for other in alike
    )


def _denies_others(run: Run) -> bool:
    """Whether the answer of a run contains that there are no other solutions."""
    most = 1 if run.task == "refute" else MODELS_FOR.get(run.task)
    return most is None or run.solutions < most


def disagreements(judged: Sequence[Run]) -> list[str]:
    """One message for each wrong answer, and for each count that contradicts the others or the file
    of the instance."""
    wrong = [run for run in judged if run.status.startswith("wrong")]
    names = [f"{run.combination.instance}: {run.combination.label}" for run in wrong]
    messages = [f"{name}: {run.status}" for name, run in zip(names, wrong, strict=True)]
    return [*dict.fromkeys(messages), *list_missed(judged), *contradictions(judged)]


def contradictions(judged: Sequence[Run]) -> Iterator[str]:
    """One message for each count that is not the same everywhere, although none is proved wrong."""
    for (name, _), alike in _group_by_task(judged).items():
        yield from _find_contradictions(name, alike)


def _find_contradictions(name: str, alike: Sequence[Run]) -> Iterator[str]:
    """One message for each number that is not the same everywhere."""
    established = establish_counts(alike)
    for what, by_count in _collect_counts(alike).items():
        if len(by_count) > 1:
            texts = [f"{count} ({', '.join(labels)})" for count, labels in by_count.items()]
            end = f"; {established[what].count} is established" if what in established else ""
            yield f"{name}: {what}: {', '.join(texts)}{end}"
        most = max(by_count)
        for run in alike:
            unfinished = _list_unfinished(run).get(what, 0)
            if unfinished > most:
                yield f"{name}: {what}: {most}, but {run.combination.label} found {unfinished}"
