"""Build the page for static hosts into `site/`: jigsat's Python in the browser, without a server of
ours.

Everything is pinned: npm packages by `package-lock.json`, wheels by `wheels.txt`. `--vendor` only
puts three.js where `jigsat serve` looks for it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
STATIC = ROOT / "src/jigsat/web/static"
VENDOR = STATIC / "vendor"
SITE = ROOT / "site"
MODULES = HERE / "node_modules"

THREE = ("three.core.js", "three.module.js")
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)

PLATFORM = [
    "--no-deps", "--only-binary=:all:", "--platform=any", "--platform=pyemscripten_2026_0_wasm32",
    "--python-version=3.14",
    "--implementation=cp", "--abi=cp314",
]  # fmt: skip

LEFT_OUT = ("/tests/", "/testing.py", "/include/", "__pycache__")
"""Parts of Python packages that the page does not need."""


def main() -> None:
    """Build the page, or only put three.js into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vendor", action="store_true", help="only put three.js into the package")
    only_vendor = parser.parse_args().vendor
    run(
        "npm",
        "ci",
        "--prefix",
        str(HERE),
        "--ignore-scripts",
        "--omit=optional",
        "--no-audit",
        "--no-fund",
    )
    vendor()
    if not only_vendor:
        site()


def run(*command: str) -> None:
    """Run a command without its output; show the output if the command fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:3])} … failed:\n{done.stdout}{done.stderr}")


def vendor() -> None:
    """Put three.js into the package, made smaller: without comments and with short names."""
    VENDOR.mkdir(exist_ok=True)
    terser = str(MODULES / ".bin/terser")
    for name in THREE:
        module = str(MODULES / "three/build" / name)
        smaller = ("--module", "--compress", "--mangle")
        run(terser, module, *smaller, "--output", str(VENDOR / name))
    shutil.copy(MODULES / "three/LICENSE", VENDOR / "three.LICENSE")


def site() -> None:
    """The static site."""
    for built in SITE.glob("*"):  # all but the documentation
        if built.name != "docs":
            shutil.rmtree(built) if built.is_dir() else built.unlink()
    shutil.copytree(STATIC, SITE, dirs_exist_ok=True)
    (SITE / "pyodide").mkdir()
    for name in PYODIDE:
        shutil.copy(MODULES / "pyodide" / name, SITE / "pyodide" / name)
    with tempfile.TemporaryDirectory() as folder:
        archive(Path(folder), SITE / "python.zip")
    gallery(SITE / "gallery.json")
    stamp()
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(
        f"{SITE.relative_to(ROOT)}/: {size / 1e6:.1f} MB; try it with: cd site && python -m "
        f"http.server"
    )


def archive(folder: Path, target: Path) -> None:
    """One archive with jigsat and the packages that it needs, as they are in site-packages."""
    pip = (sys.executable, "-m", "pip")
    run(
        *pip,
        "download",
        "--require-hashes",
        *PLATFORM,
        "--dest",
        str(folder),
        "-r",
        str(HERE / "wheels.txt"),
    )
    # not `build/`, which keeps old modules
    clean = f"--config-settings=--global-option=build --build-base={folder / 'build'}"
    run(*pip, "wheel", "--no-deps", clean, "--wheel-dir", str(folder), str(ROOT))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
        for wheel in sorted(folder.glob("*.whl")):
            with zipfile.ZipFile(wheel) as packed:
                for name in packed.namelist():
                    if wanted(name, wheel.name):
                        written.writestr(
                            zipfile.ZipInfo(name), packed.read(name), zipfile.ZIP_DEFLATED
                        )


def wanted(name: str, wheel: str) -> bool:
    """Whether a file of a wheel is needed. jigsat's own compiled engine is for this machine, not
    for the browser."""
    if name.startswith("jigsat/web/static/") or (
        wheel.startswith("jigsat") and name.endswith(".so")
    ):
        return False
    return not any(part in f"/{name}" for part in LEFT_OUT) or name.startswith("jigsat/")


def gallery(target: Path) -> None:
    """The kinds, and the answer to the request for the gallery, so that the page has them before
    Python is loaded."""
    from jigsat.web import replies
    from jigsat.web.kinds import KINDS_FILE, list_kinds, write_kinds

    target.with_name(KINDS_FILE).write_text(write_kinds(), encoding="utf-8")
    messages = [json.loads(line) for line in replies('{"kind": "gallery"}')]
    covers = target.with_name("covers")
    covers.mkdir()
    for message in messages:
        if svg := message.pop("svg", None):
            (covers / f"{message['name']}.svg").write_text(svg, encoding="utf-8")
    # without pictures
    messages = list({message.get("name"): message for message in messages}.values())
    solved = covers / "solved"
    solved.mkdir()
    begin = (STATIC / "editors/begin.js").read_text(encoding="utf-8")
    for name in [*re.findall(r'cover: "(.+?)"', begin), *(kind.cover for kind in list_kinds())]:
        request = {"kind": "solve", "puzzle": {"name": name}, "limit": 1, "drawn": 1}
        (svg,) = (
            message["svg"]
            for message in map(json.loads, replies(json.dumps(request)))
            if message["kind"] == "solution"
        )
        (solved / f"{name}.svg").write_text(svg, encoding="utf-8")
    target.write_text(
        json.dumps(messages, ensure_ascii=False, separators=(",", ":")), encoding="utf-8"
    )


def stamp() -> None:
    """Give the service worker the list of files and a version that changes with any of them."""
    names = sorted(path.relative_to(SITE).as_posix() for path in files())
    digest = hashlib.sha256()
    for path in sorted(files()):
        digest.update(path.read_bytes())
    worker = SITE / "sw.js"
    text = worker.read_text(encoding="utf-8")
    listed = json.dumps(["./", *names])
    worker.write_text(
        text.replace("/* files */ []", listed).replace("development", digest.hexdigest()[:16]),
        encoding="utf-8",
    )


def files() -> Iterator[Path]:
    """The files of the site, without the service worker itself."""
    return (path for path in SITE.rglob("*") if path.is_file() and path.name != "sw.js")


if __name__ == "__main__":
    main()
