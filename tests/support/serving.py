"""A server of the page in its own process, and raw requests to it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

SERVER = """
import sys
from pathlib import Path
from jigsat.web.runs import ServerLimits
from jigsat.web.server import PageServer, listening, names, serve
listener = listening("127.0.0.1", 0)
port = listener.getsockname()[1]
print(port, flush=True)
page = PageServer("secret", names("127.0.0.1", port), ServerLimits(**eval(sys.argv[1])), Path(sys.argv[2]))
try:
    serve(listener, page)
except KeyboardInterrupt:
    pass
"""


class Reply(NamedTuple):
    """The status of a response, 0 if the connection was closed without one, and the rest as
    text."""

    status: int
    text: str

    def messages(self) -> list[dict[str, Any]]:
        """The messages of an answer."""
        lines = (line.strip() for line in self.text.splitlines())
        return [
            json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")
        ]


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port, self.host = process, port, f"127.0.0.1:{port}"

    def connect(self) -> socket.socket:
        """A connection to the server."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def send(self, request: bytes) -> Reply:
        """The response to a request, whatever it consists of."""
        with self.connect() as connection:
            try:
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR) if b"HTTP/1" not in request else None
                return reply(b"".join(iter(lambda: connection.recv(65536), b"")))
            except ConnectionError:
                return Reply(0, "")

    def post(self, body: bytes | str, path: str = "/secret/api", **headers: str) -> bytes:
        """A request with the right headers, some of which may be replaced, or left out by ''."""
        body = body.encode() if isinstance(body, str) else body
        sent = {
            "host": self.host,
            "origin": f"http://{self.host}",
            "content-type": "application/json",
            "connection": "close",
        }
        sent |= {"content-length": str(len(body))} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        lines = [
            f"POST {path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in sent.items() if value),
        ]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def get(self, path: str, **headers: str) -> bytes:
        """A request for a file."""
        sent = {"host": self.host, "connection": "close"} | headers
        return "\r\n".join(
            [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
        ).encode()

    def ask(self, kind: str, **entries: Any) -> list[dict[str, Any]]:
        """The messages of an answer."""
        answer = self.send(self.post(json.dumps({"kind": kind, **entries})))
        assert answer.status == 200, answer
        return answer.messages()

    def children(self) -> list[int]:
        """The processes that the server has started and that have not ended."""
        found = (
            Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        )
        return [int(child) for child in found]


def reply(response: bytes) -> Reply:
    """A response as it came, without the invitation to send the body."""
    response = response.removeprefix(b"HTTP/1.1 100 \r\n\r\n").removeprefix(
        b"HTTP/1.1 100 Continue\r\n\r\n"
    )
    head, _, rest = response.decode(errors="replace").partition("\r\n\r\n")
    return Reply(int(head.split()[1]) if head.startswith("HTTP/1.1 ") else 0, rest)


@contextmanager
def served(folder: Path, **limits: float) -> Iterator[Served]:
    """A server with these limits and the files of a folder. At its end it must have written nothing
    to stderr."""
    command = [sys.executable, "-c", SERVER, repr(limits), str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield Served(process, int(process.stdout.readline()))
            process.terminate()
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert errors == "", errors[-3000:]
