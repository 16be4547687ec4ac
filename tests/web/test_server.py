"""The server of the page, with real connections."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.command import JIGSAT, run
from support.serving import Reply, Served, reply, served
from support.waiting import gone, soon

from jigsat.web.requests import REQUESTS

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
server_module = pytest.importorskip("jigsat.web.server")
address, names = server_module.address, server_module.names
if not Path("/proc/self/fd").is_dir():
    pytest.skip("needs Linux", allow_module_level=True)

LONG = {"kind": "solve", "puzzle": {"name": "sudoku-empty"}, "up_to": "nothing", "shown": 1}
"""A request whose answer takes much longer than any test."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("static")
    (folder / "index.html").write_text('<html lang="en" data-engine="worker">')
    (folder / "parts").mkdir()
    (folder / "parts" / "view.js").write_text("export const view = 1;")
    with served(folder, body=20_000, runs=4, patience=1.0) as running:
        yield running
        soon(lambda: not running.children())


def test_the_page_and_its_files_are_served(server: Served) -> None:
    page = server.send(server.get("/secret/"))
    assert (page.status, page.text) == (
        200,
        '<html lang="en" data-engine="server" data-published="">',
    )
    with server.connect() as connection:
        connection.sendall(server.get("/secret/parts/view.js"))
        whole = b"".join(iter(lambda: connection.recv(65536), b"")).decode().lower()
    assert (
        "content-type: text/javascript" in whole
        and "cache-control: no-store" in whole
        and "export const" in whole
    )
    assert server.send(server.get("/secret")).status == 307


def test_a_puzzle_is_solved(server: Served) -> None:
    *_, verdict, end = server.ask("solve", puzzle={"name": "push-pull"})
    assert (verdict["kind"], verdict["result"]["solutions"], end["kind"]) == ("verdict", 1, "end")


def test_an_error_is_an_answer(server: Served) -> None:
    error, end = server.ask("load", puzzle={"text": 'family = "sudoku"'})
    assert (error["kind"], error["message"], end["kind"]) == (
        "error",
        "missing entry 'grid'",
        "end",
    )


IN_CHUNKS = b"8000\r\n" + b"x" * 0x8000 + b"\r\n0\r\n\r\n"
REFUSED: dict[str, tuple[Callable[[Served], bytes], int]] = {
    "another secret": (lambda server: server.post("{}", "/secret2/api"), 404),
    "no secret": (lambda server: server.post("{}", "/api"), 404),
    "a file beside the page": (lambda server: server.get("/secret/../server.py"), 404),
    "an absolute path": (lambda server: server.get("/secret//etc/passwd"), 404),
    "an encoded path": (lambda server: server.get("/secret/%2e%2e/%2e%2e/messages.py"), 404),
    "a page elsewhere": (lambda server: server.post("{}", origin="http://example.org"), 403),
    "no origin": (lambda server: server.post("{}", origin=""), 403),
    "the origin null": (lambda server: server.post("{}", origin="null"), 403),
    "another port": (lambda server: server.post("{}", origin="http://127.0.0.1:1"), 403),
    "another name": (lambda server: server.post("{}", host="example.org",
    origin="http://example.org"), 421),
    "a form": (lambda server: server.post("{}", content_type="text/plain"), 415),
    "a long body": (lambda server: server.post(b"x" * 20_001), 413),
    "a body said to be long": (lambda server: server.post("{}", content_length="9" * 18), 413),
    "a long body in chunks": (
        lambda server: server.post(IN_CHUNKS, content_length="", transfer_encoding="chunked"),
        413,
    ),
    "half a body": (lambda server: server.post("{}", content_length="100"), 408),
    "reading the api": (lambda server: server.get("/secret/api"), 404),
    "another method": (lambda server: server.get("/secret/").replace(b"GET", b"DELETE"), 405),
    "no HTTP": (lambda server: b"HELO example.org\r\n\r\n", 400),
}  # fmt: skip


@pytest.mark.parametrize("request_of, status", REFUSED.values(), ids=REFUSED)
def test_wrong_requests_are_refused(
    server: Served, request_of: Callable[[Served], bytes], status: int
) -> None:
    assert server.send(request_of(server)).status == status


def test_a_closed_tab_ends_its_run(server: Served) -> None:
    with server.connect() as tab:
        tab.sendall(server.post(json.dumps(LONG)))
        assert reply(tab.recv(65536)).status == 200
        (child,) = server.children()
    soon(lambda: gone(child))


def test_the_server_has_no_other_thread_so_each_run_is_forked(server: Served) -> None:
    assert server.ask("load", puzzle={"name": "push-pull"})[-1]["kind"] == "end"
    assert len(list(Path(f"/proc/{server.process.pid}/task").iterdir())) == 1


def test_too_many_runs_at_once_are_refused(server: Served) -> None:
    tabs = [server.connect() for _ in range(4)]
    for tab in tabs:
        tab.sendall(server.post(json.dumps(LONG)))
        tab.recv(65536)
    assert server.send(server.post(json.dumps(LONG))).status == 429
    for tab in tabs:
        tab.close()
    soon(lambda: not server.children())
    assert server.ask("load", puzzle={"name": "push-pull"})[-1]["kind"] == "end"


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that gives each run little time."""
    with served(tmp_path_factory.mktemp("empty"), seconds=1.0) as running:
        yield running


def test_a_time_limit_ends_a_run(short: Served) -> None:
    stopped, end = short.ask(**LONG)[-2:]
    assert (stopped["kind"], stopped["reason"], end["kind"]) == ("stopped", "timeout", "end")


def test_a_memory_limit_ends_a_run(tmp_path: Path) -> None:
    with served(tmp_path, memory=2**20) as small:
        assert small.ask(**LONG)[-2]["reason"] == "memory"


def test_a_browser_that_does_not_read_keeps_no_process(short: Served) -> None:
    request = {
        "kind": "solve",
        "puzzle": {"name": "dominoes-6x8"},
        "up_to": "nothing",
        "drawn": 10**6,
        "shown": 10**6,
    }
    with short.connect() as tab:
        tab.sendall(short.post(json.dumps(request)))
        soon(lambda: bool(short.children()))
        soon(lambda: not short.children())


def test_a_stopped_server_says_so_and_leaves_no_process(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*JIGSAT, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        link = process.stdout.readline().split()[0]
        server = Served(process, int(link.split(":")[2].split("/")[0]))
        with server.connect() as tab:
            tab.sendall(server.post(json.dumps(LONG), path=f"/{link.split('/')[3]}/api"))
            tab.recv(65536)
            (child,) = server.children()
            process.send_signal(signal.SIGINT)
            last = reply(
                b"HTTP/1.1 200\r\n\r\n" + b"".join(iter(lambda: tab.recv(65536), b""))
            ).messages()[-2:]
        _, errors = process.communicate(timeout=60)
    assert [message["kind"] for message in last] == ["stopped", "end"]
    assert (process.returncode, errors) == (130, "jigsat: interrupted\n")
    assert gone(child)


def test_links_and_names() -> None:
    assert address("::1", 80, "secret") == "http://[::1]:80/secret/"
    assert address("0.0.0.0", 8765, "secret") == f"http://{socket.gethostname()}:8765/secret/"
    assert names("127.0.0.1", 8765) == {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
    assert names("192.0.2.1", 80) == {"192.0.2.1:80", "192.0.2.1"}, (
        "a browser leaves out the usual port"
    )
    assert names("::", 8765) is None


def test_a_port_that_is_taken(server: Served) -> None:
    ended = run("serve", "--port", server.port)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and "address already in use" in ended.stderr


# -- hostile requests

PUZZLES = [
    {"name": "push-pull"},
    {"name": "cuebs"},
    {"text": "9" * 81},
    {"data": {"family": "sudoku"}},
    {"name": "../x"},
    {},
    7,
]
NOISE = [
    "\0",
    "\ud800",
    "é" * 50,
    "[" * 2000,
    "\\",
    '"',
    "NaN",
    "1e999",
    "9" * 5000,
    "\r\n\r\n",
    "%00",
    "<svg onload=x>",
]
KINDS = [*(kind for kind in REQUESTS if kind != "gallery"), "load", "delete", "", 3]
PATHS = [
    "/secret/",
    "/secret/api/",
    "/secret/../api",
    "//secret/api",
    "/secret/%2e%2e%2fapi",
    "*",
    "/" * 999,
]
METHODS = [b"GET", b"PUT", b"OPTIONS", b"TRACE", b"CONNECT", b"post", b""]
HEADERS: list[dict[str, str]] = [
    {"origin": "http://example.org"}, {"host": "x"}, {"content_length": "-1"},
    {"content_length": "1e3"}, {"cookie": "\xff"},
    {"expect": "100-continue"}, {"transfer_encoding": "chunked"}, {"content_type": "text/html"},
    {"content_type": ""},
    {"x" * 99_999: "y"},
]  # fmt: skip


def hostile(rng: random.Random, server: Served) -> tuple[bytes, int]:
    """A random request, and the number of its bytes to send before the connection is closed, or -1
    to wait for the response."""
    body = json.dumps(
        {
            "schema": rng.choice([1, 1, 1, 2]),
            "kind": rng.choice(KINDS),
            "puzzle": rng.choice(PUZZLES),
        }
    )
    for _ in range(rng.choice([0, 0, 1, 3])):
        at = rng.randrange(len(body))
        body = body[:at] + rng.choice(NOISE) + body[at + rng.randrange(3) :]
    path = rng.choice(PATHS) if rng.random() < 0.4 else "/secret/api"
    headers = rng.choice(HEADERS) if rng.random() < 0.4 else {}
    request = server.post(body.encode("utf-8", "surrogatepass"), path, **headers)
    if rng.random() < 0.1:
        request = bytes(rng.randrange(256) for _ in range(rng.randrange(300)))
    if rng.random() < 0.1:
        request = request.replace(b"POST", rng.choice(METHODS), 1)
    return request, rng.randrange(len(request) + 1) if rng.random() < 0.2 else -1


def attack(server: Served, seed: int, number: int) -> None:
    rng = random.Random(seed)
    for _ in range(number):
        request, cut = hostile(rng, server)
        if cut >= 0:
            with server.connect() as connection:
                connection.sendall(request[:cut])
            continue
        answered = server.send(request)
        assert (
            400 <= answered.status < 500 or complete(answered) or refused_unread(request, answered)
        ), (request, answered)


def complete(answered: Reply) -> bool:
    """Whether a response is the page, or an answer up to its end."""
    return answered.status == 200 and (
        "<html" in answered.text or answered.messages()[-1]["kind"] == "end"
    )


def refused_unread(request: bytes, answered: Reply) -> bool:
    """Whether the connection was closed because the request is too long to be read, or no HTTP."""
    return answered.status == 0 and (len(request) > 50_000 or b" HTTP/1.1\r\n" not in request)


def test_hostile_requests(server: Served) -> None:
    attack(server, seed=0, number=40)
    soon(lambda: not server.children())
    test_a_puzzle_is_solved(server)


@pytest.mark.slow
def test_a_thousand_hostile_requests(server: Served) -> None:
    attack(server, seed=1, number=1000)
    soon(lambda: not server.children())
    test_a_puzzle_is_solved(server)
