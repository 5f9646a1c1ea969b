"""``--cache`` with an object store: a server of S3 on this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import CLASSES

pytest.importorskip("moto.server", reason="moto[server] is not installed")
boto3: Any = pytest.importorskip("boto3")
botocore_config: Any = pytest.importorskip("botocore.config")
botocore_exceptions: Any = pytest.importorskip("botocore.exceptions")


class Store:
    """A bucket of a local server."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.environment = {
            **os.environ,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT": self.address,
            "AWS_ALLOW_HTTP": "true",
        }

    @property
    def client(self) -> Any:
        """A client of the server."""
        return boto3.client(
            "s3",
            endpoint_url=self.address,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=botocore_config.Config(connect_timeout=1, retries={"max_attempts": 0}),
        )

    def objects(self) -> dict[str, bytes]:
        """The answers in the bucket, by their names."""
        client = self.client
        listed = client.list_objects_v2(Bucket="bucket").get("Contents", [])
        names = [entry["Key"] for entry in listed if entry["Key"].endswith(".answer")]
        return {name: client.get_object(Bucket="bucket", Key=name)["Body"].read() for name in names}

    def names(self) -> list[str]:
        """The names of the answers in the bucket."""
        return sorted(self.objects())

    def java(self, *options: str, place: str = "s3://bucket/cache", **variables: str) -> subprocess.CompletedProcess[str]:
        """Analyses the classes with the cache in the bucket."""
        path = shutil.which("asercheck")
        assert path is not None
        words = [path, "java", str(CLASSES), "--class", "client.A*", "--cache", place, "--quiet", "--statistics", *options]
        environment = {**self.environment, **variables}
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def counts(run: subprocess.CompletedProcess[str]) -> list[int]:
    """How many answers were found, how many were asked for, and how many were added."""
    line = next(line for line in run.stderr.splitlines() if line.startswith("cache: "))
    return [int(word) for word in line.replace(",", "").split() if word.isdigit()]


@pytest.fixture(scope="module", autouse=True)
def feature() -> None:
    """Skips the tests if the command has no object stores."""
    run = Store(9).java("--cache-only-read")
    if "has no object stores" in run.stderr:
        pytest.skip("the command was built without object stores")


@pytest.fixture
def store() -> Iterator[Store]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        store = Store(port)
        end = time.monotonic() + 60
        while True:
            try:
                store.client.create_bucket(Bucket="bucket")
                break
            except botocore_exceptions.BotoCoreError:
                assert server.poll() is None and time.monotonic() < end, "the server does not start"
                time.sleep(0.1)
        yield store
    finally:
        server.kill()
        server.wait()


def out(run: subprocess.CompletedProcess[str]) -> str:
    """The output without times."""
    assert run.returncode in (0, 1), run.stderr
    return "\n".join(line for line in run.stdout.splitlines() if not line.endswith(" s)"))


def test_answers_are_kept_in_an_object_store(store: Store) -> None:
    first = store.java()
    found, asked, added = counts(first)
    assert found == 0 and added == asked == len(store.names()) > 5
    second = store.java()
    assert counts(second) == [1, 1, 0] and out(second) == out(first)
    # A damaged object is a missing one, and is replaced; the others stay as they are.
    names = store.names()
    for name, text in store.objects().items():
        store.client.put_object(Bucket="bucket", Key=name, Body=text[:-1])
    third = store.java()
    assert out(third) == out(first) and counts(third) == [0, asked, asked]
    assert counts(store.java()) == [1, 1, 0]
    assert store.names() == names


def test_an_answer_is_written_once(store: Store) -> None:
    """Several runs write at the same time, and no later run changes an object."""
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(lambda _: store.java("--jobs", "1"), range(3)))
    assert len({out(run) for run in runs}) == 1
    names = store.names()
    assert len(names) == counts(runs[0])[1]
    assert counts(store.java()) == [1, 1, 0]
    before = store.objects()
    # Other options ask some of the same questions.
    store.java("--exclude", "client.AccountRepaired")
    after = store.objects()
    assert {name: after[name] for name in names} == before


def test_a_store_that_is_only_read(store: Store) -> None:
    store.java("--exclude", "client.Account")
    names = store.names()
    run = store.java("--cache-only-read")
    found, asked, added = counts(run)
    assert 0 < found < asked and added == 0 and store.names() == names


def test_old_answers_are_removed(store: Store) -> None:
    store.java()
    path = shutil.which("asercheck")
    assert path is not None

    def prune(older: str) -> str:
        words = [path, "cache", "prune", "--older", older, "s3://bucket/cache"]
        return subprocess.run(words, env=store.environment, capture_output=True, text=True, check=True).stdout

    count = len(store.names())
    assert prune("30d") == f"0 answers removed (0 B), {count} left\n"
    time.sleep(1.1)
    assert prune("1s").startswith(f"{count} answers removed (") and store.names() == []


def test_a_store_that_cannot_be_reached_is_refused(store: Store) -> None:
    for run in [
        store.java(place="s3://nothing/cache"),
        store.java(AWS_ENDPOINT="http://127.0.0.1:9"),
        store.java(place="nothing://bucket"),
    ]:
        assert run.returncode == 2 and run.stdout == "" and run.stderr.startswith("error: cannot "), run.stderr
    # A store that is only read may be away: the answers are missing then.
    away = store.java("--cache-only-read", AWS_ENDPOINT="http://127.0.0.1:9")
    assert out(away) == out(store.java())
