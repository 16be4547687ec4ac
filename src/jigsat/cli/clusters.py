"""The options that name a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jigsat.errors import InputError

if TYPE_CHECKING:
    from jigsat.runtime.cluster import Address

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="search on a Dask cluster: tcp://HOST:PORT, a scheduler file, or local:2 (two processes)",
    ),
]
TlsAuthority = Annotated[
    Path | None, typer.Option("--tls-ca", metavar="FILE", help="the certificate authority of a cluster that uses TLS")
]
TlsCertificate = Annotated[Path | None, typer.Option("--tls-cert", metavar="FILE", help="the client's certificate for TLS")]
TlsKey = Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="the client's key for TLS")]


def cluster_address(
    cluster: str | None, ca: Path | None, certificate: Path | None, key: Path | None, jobs: int
) -> Address | None:
    """The cluster given by the options, if any. Raises InputError for options that cannot be combined."""
    if cluster is not None and jobs > 1:
        raise InputError("--jobs cannot be combined with --cluster; the cluster has its own workers")
    files = {"--tls-ca": ca, "--tls-cert": certificate, "--tls-key": key}
    missing = [option for option, file in files.items() if file is None]
    if len(missing) < len(files):
        if cluster is None:
            raise InputError("the options --tls-… need --cluster")
        if missing:
            raise InputError(f"--cluster with TLS also needs {' and '.join(missing)}")
    for option, file in files.items():
        if file is not None and not file.is_file():
            raise InputError(f"{option} {file}: no such file")
    if cluster is None:
        return None
    if ca and certificate and key:
        _check_certificates(ca, certificate, key)
    from jigsat.runtime.cluster import Address

    return Address(cluster, ca, certificate, key)


def _check_certificates(ca: Path, certificate: Path, key: Path) -> None:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(ca)
    except OSError as error:
        raise InputError(f"--tls-ca {ca}: not a certificate in PEM format") from error
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        raise InputError(f"--tls-cert {certificate}, --tls-key {key}: not a certificate and its key in PEM format") from error
