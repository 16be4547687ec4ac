"""A process that has other threads: it is never forked, and its children are as good as forked
ones."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.processes import sleep
from support.waiting import LONG, gone, soon

import jigsat
from jigsat.runtime.child import Child

EIGHT_THREADS = """
import threading
import jigsat

def count(number):
    for turn in range(2):
        limits = {} if (number + turn) % 2 else {"memory": 2**36}
        results.append(jigsat.count("cats", **limits))

if __name__ == "__main__":
    results = []
    threads = [threading.Thread(target=count, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print({(result.solutions, result.complete) for result in results}, len(results))
"""


def run_script(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a script from a file, so that its children can import it."""
    script = folder / "script.py"
    script.write_text(text)
    return subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=LONG, check=False
    )


def test_threads_with_and_without_limits_all_end(tmp_path: Path) -> None:
    done = run_script(tmp_path, EIGHT_THREADS)
    assert (done.stdout, done.stderr) == ("{(4, True)} 16\n", "")


def test_threads_of_libraries_are_counted(tmp_path: Path) -> None:
    script = """
import _thread, threading, time
from jigsat.runtime.child import count_threads
print(count_threads(), threading.active_count())
_thread.start_new_thread(time.sleep, (60,))
print(count_threads(), threading.active_count())
"""
    assert run_script(tmp_path, script).stdout.split() == ["1", "1", "2", "1"]


def test_only_a_process_without_other_threads_is_forked(tmp_path: Path) -> None:
    script = """
import os, threading
from contextlib import closing
from functools import partial
from support.processes import Parent, report_parent
from jigsat.runtime.child import Child
from jigsat.runtime.executors import Processes

def report():
    print(next(Child(partial(report_parent, os.getpid()))))
    with closing(Processes(1, Parent)) as workers:
        workers.submit(0, "")
        while not (found := workers.receive(1)):
            pass
        print(found == [(0, str(os.getpid()))])

if __name__ == "__main__":
    report()
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    report()
    over.set()
    thread.join()
    report()
"""
    tests = Path(__file__).parents[1]
    done = run_script(tmp_path, f"import sys\nsys.path.append({str(tests)!r})\n{script}")
    assert done.stdout.split() == ["True", "True", "False", "False", "True", "True"], done.stderr


def test_work_that_a_thread_repeats_pauses_while_a_process_is_forked(tmp_path: Path) -> None:
    script = """
import os, threading
from functools import partial
from support.processes import report_parent
from jigsat.runtime.child import Child, repeating

if __name__ == "__main__":
    done = threading.Event()
    with repeating(done.set, 0.001):
        print(next(Child(partial(report_parent, os.getpid()))))
        done.clear()
        print(done.wait(60))
    print(threading.active_count())
"""
    tests = Path(__file__).parents[1]
    done = run_script(tmp_path, f"import sys\nsys.path.append({str(tests)!r})\n{script}")
    assert done.stdout.split() == ["True", "True", "1"], done.stderr


def in_thread(work: Callable[[], Any]) -> Any:
    """What a function returns in another thread, so that its children are not forked."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work).result()


def test_every_function_can_be_limited_in_a_thread() -> None:
    formula = jigsat.Formula()
    x = formula.variables("x", {"i": range(4)})
    formula.exactly(2, x[:])
    turn = {x(0): x(1), x(1): x(2), x(2): x(3), x(3): x(0)}

    def ask() -> list[object]:
        return [
            len(list(jigsat.models(formula, group=[turn], timeout=LONG))),
            jigsat.count(formula, timeout=LONG, jobs=2).solutions,
            jigsat.unique("push-pull", timeout=LONG).unique,
            len(jigsat.reasons("lights-unsolvable", timeout=LONG)),
            jigsat.candidates("push-pull", timeout=LONG).complete,
            len(list(jigsat.steps("push-pull", timeout=LONG))),
            jigsat.rate("push-pull", timeout=LONG).level,
            len(list(jigsat.sample("push-pull", 3, timeout=LONG))),
            jigsat.estimate("soma", probes=10, timeout=LONG).probes,
            jigsat.minimum("push-pull", timeout=LONG).minimum,
            [run.status for run in jigsat.compare("push-pull", backends=["cadical195"])],
        ]

    forked = ask()
    assert forked[:3] == [2, 6, True]
    assert in_thread(ask) == forked


def test_progress_is_shared_with_a_child_that_is_not_forked() -> None:
    def search() -> None:
        with jigsat.solutions("pentominoes-6x10", timeout=LONG) as found:
            while not found.progress:
                next(found)

    in_thread(search)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_search_goes_on_when_the_thread_that_began_it_has_ended(
    tmp_path: Path, method: str
) -> None:
    script = f"""
import multiprocessing, threading
import jigsat

def begin():
    global found
    found = jigsat.solutions("cats", up_to="nothing", timeout={LONG})
    next(found)

if __name__ == "__main__":
    multiprocessing.set_start_method({method!r})
    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    print(len(list(found)), found.result.complete)
"""
    done = run_script(tmp_path, script)
    assert (done.stdout, done.stderr) == ("3 True\n", "")


def test_a_child_of_a_process_with_threads_ends_with_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import sys, threading, time
sys.path.append({str(Path(__file__).parents[1])!r})
from support.processes import sleep
from jigsat.runtime.child import Child

if __name__ == "__main__":
    threading.Thread(target=time.sleep, args=({LONG},), daemon=True).start()
    print(next(Child(sleep)), flush=True)
    time.sleep({LONG})
"""
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        assert not gone(child)
        process.kill()
    soon(lambda: gone(child))


def test_closing_kills_a_child_that_was_not_forked() -> None:
    def begin() -> tuple[Child[int], int]:
        child = Child(sleep)
        return child, next(child)

    child, process = in_thread(begin)
    assert not gone(process)
    child.close()
    soon(lambda: gone(process))


UNGUARDED = {
    "spawned": "import multiprocessing\nmultiprocessing.set_start_method('spawn')",
    "with a thread": (
        "import threading, time\n"
        f"threading.Thread(target=time.sleep, args=({LONG},), daemon=True).start()"
    ),
}
"""How a program begins in which a process cannot be forked."""


@pytest.mark.parametrize("beginning", UNGUARDED.values(), ids=UNGUARDED)
@pytest.mark.parametrize("options", ["timeout=60", "jobs=2, up_to='nothing', store='ledger'"])
def test_a_child_that_cannot_start_is_an_exception(
    tmp_path: Path, beginning: str, options: str
) -> None:
    options = options.replace("'ledger'", repr(str(tmp_path / "ledger")))
    script = f"{beginning}\nimport jigsat\nprint(jigsat.count('cats', {options}))"
    done = run_script(tmp_path, script)
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("RuntimeError: a process for the search could not be started")
    assert "if __name__ == '__main__':" in last


@pytest.mark.parametrize("beginning", UNGUARDED.values(), ids=UNGUARDED)
def test_a_program_from_the_standard_input_needs_no_guard(beginning: str) -> None:
    script = f"{beginning}\nimport jigsat\nprint(jigsat.count('cats', timeout=60).solutions)"
    done = subprocess.run(
        [sys.executable, "-"], input=script, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "4\n", "")
