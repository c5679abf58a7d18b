"""The rehearsal of the carrier: what counts as failed, as lost, as a pause, and who led."""

import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from drill.__main__ import main
from drill.carrier import client as clients
from drill.carrier.client import Call, Client
from drill.carrier.leader import holder, leads
from drill.carrier.load import Load
from drill.carrier.rows import held, plain, row
from drill.carrier.scheduling import Scheduling
from drill.steady import Steady
from placement.faults import FederationError
from tests.drill.servers import serve

Plain = dict[str, Any]
DEAD = "https://127.0.0.1:1"


def test_a_call_goes_to_the_next_address_where_one_refuses(tmp_path: Path) -> None:
    """It is done, and seen to have been moved; each address is tried once."""
    with serve(lambda *_: (200, {"well": True}), tmp_path) as (address, tls):
        client = Client([DEAD, address], tls)
        calls = [client.call("GET", "/readyz") for _ in range(4)]
    assert [call.ok for call in calls] == [True] * 4
    assert [call.tries for call in calls] == [2, 1, 2, 1]


def test_a_call_goes_on_where_an_address_stays_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that accepts and says nothing is given up after the patience."""
    monkeypatch.setattr(clients, "PATIENCE", 0.2)
    asked = threading.Event()

    def once_silent(*_: object) -> tuple[int, Plain]:
        first = not asked.is_set()
        asked.set()
        if first:
            threading.Event().wait(1)
        return 200, {}

    with serve(once_silent, tmp_path) as (address, tls):
        call = Client([address, address], tls).call("GET", "/")
    assert call.ok
    assert call.tries == 2


def test_a_call_goes_on_where_a_server_could_not_do_it(tmp_path: Path) -> None:
    """What was in flight through a dying member of etcd is answered 5xx: counted, asked again."""
    asked = []

    def once_broken(*request: object) -> tuple[int, Plain]:
        asked.append(request)
        return (500, {"message": "error reading from server"}) if len(asked) == 1 else (200, {})

    with serve(once_broken, tmp_path) as (address, tls):
        call = Client([address, address], tls).call("PATCH", "/", {})
    assert (call.ok, call.tries, call.errors) == (True, 2, 1)
    assert asked[0] == asked[1]


@pytest.mark.parametrize(("status", "tries"), [(409, 1), (500, 2)])
def test_an_answer_that_is_no_success_is_a_failed_call(
    tmp_path: Path, status: int, tries: int
) -> None:
    """A refusal is asked of nobody else; what no server could do has failed at each, once."""
    asked = []

    def broken(*request: object) -> tuple[int, Plain]:
        asked.append(request)
        return status, {"message": "etcdserver: request timed out"}

    with serve(broken, tmp_path) as (address, tls):
        call = Client([address, address], tls).call("PATCH", "/", {})
    assert not call.ok
    assert len(asked) == call.tries == tries
    assert str(status) in str(call)
    assert "request timed out" in str(call)


def test_nobody_answers(tmp_path: Path) -> None:
    """The call has failed, and says what the last address did."""
    with serve(lambda *_: (200, {}), tmp_path) as (_, tls):
        call = Client([DEAD, DEAD], tls).call("GET", "/")
    assert (call.ok, call.status, call.tries) == (False, None, 2)
    assert "refused" in str(call)


class Store:
    """ConfigMaps as an API keeps them, but for the writes to *forgotten* objects."""

    def __init__(self, *forgotten: str) -> None:
        self.objects: dict[str, Plain] = {}
        self._forgotten = forgotten

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Plain]:
        """Make, merge or read."""
        name = body["metadata"]["name"] if method == "POST" else path.rsplit("/", 1)[-1]
        if method == "POST":
            self.objects[name] = body
        if method == "PATCH" and name not in self._forgotten:
            self.objects[name].setdefault("data", {}).update(body["data"])
        return 200, self.objects[name]


def test_reads_and_writes_take_turns_and_nothing_is_lost(tmp_path: Path) -> None:
    """Every acknowledged write is found again at the end."""
    store = Store()
    with serve(store.answer, tmp_path) as (address, tls):
        load = Load(Client([address], tls), "here")
        load.prepare()
        for number in range(60):
            load.call(number)
        assert load.lost() == 0
    assert len(load.calls) == 60
    assert sum(len(each.get("data", ())) for each in store.objects.values()) == 30


def test_a_write_that_is_acknowledged_and_gone_is_lost(tmp_path: Path) -> None:
    """It is counted, however well the calls went."""
    with serve(Store("c1").answer, tmp_path) as (address, tls):
        load = Load(Client([address], tls), "here")
        load.prepare()
        for number in range(8):
            load.call(number)
        assert load.lost() == 1
    assert all(call.ok for call in load.calls)


def binding(name: str, *, divided: bool) -> Plain:
    """A ResourceBinding of the template *name*."""
    spec: Plain = {"resource": {"name": name}}
    return {"spec": spec | ({"clusters": [{"name": "m1", "replicas": 4}]} if divided else {})}


def test_a_pause_is_the_longest_wait_of_a_template(tmp_path: Path) -> None:
    """While one waits there is no end to it; a template that was not made does not count."""
    divided: set[str] = set()

    def api(method: str, path: str, body: Any) -> tuple[int, Plain]:
        if path.endswith("/resourcebindings"):
            return 200, {"items": [binding(f"t{n}", divided=f"t{n}" in divided) for n in (0, 1)]}
        return (500 if method == "POST" and body["metadata"]["name"] == "t2" else 201), {}

    with serve(api, tmp_path) as (address, tls):
        scheduling = Scheduling(Client([address], tls), "here")
        assert scheduling.pause() is None
        for number in range(3):
            scheduling.make(number)
        divided.add("t0")
        scheduling.look(0)
        assert scheduling.waiting()
        assert scheduling.pause() is None
        threading.Event().wait(0.3)
        divided.add("t1")
        scheduling.look(1)
    pause = scheduling.pause()
    assert pause is not None
    assert 0.3 <= pause < 3


def test_who_acts_is_asked_of_the_lease_and_of_etcd(tmp_path: Path) -> None:
    """The holder by name; the member of etcd by whether it follows itself."""
    status: Plain = {"header": {"member_id": "7"}, "leader": "7"}

    def api(_: str, path: str, __: object) -> tuple[int, Plain]:
        if path == "/v3/maintenance/status":
            return 200, status
        assert path.endswith("/namespaces/karmada-system/leases/karmada-scheduler")
        return 200, {"spec": {"holderIdentity": "one"}}

    with serve(api, tmp_path) as (address, tls):
        client = Client([address], tls)
        assert holder(client, "karmada-scheduler") == "one"
        assert leads(client)
        status["leader"] = "8"
        assert not leads(client)


WELL = Call(200, 1, 0.01)


@pytest.mark.parametrize(
    ("calls", "lost", "pause", "expected"),
    [
        ([WELL, Call(200, 2, 3.1)], 0, 17.0, True),
        ([WELL, Call(200, 2, 0.1, errors=1)], 0, 1.0, True),
        ([WELL, Call(500, 1, 0.1, b"no")], 0, 1.0, False),
        ([WELL], 1, 1.0, False),
        ([WELL], 0, None, False),
    ],
    ids=["moved", "moved-after-5xx", "failed", "lost", "no-end"],
)
def test_users_may_notice_a_pause_and_nothing_else(
    calls: list[Call], lost: int, pause: float | None, expected: bool
) -> None:
    """A failed call, a lost write, or scheduling that does not come back is a failure."""
    found = row("etcd-0", led=True, calls=calls, lost=lost, pause=pause)
    assert held(found) is expected
    (shown,) = plain([found])["kills"]
    assert shown["calls"] == len(calls)
    assert shown["movedOn"] == sum(call.tries > 1 for call in calls)
    assert shown["movedOnAfterServerError"] == sum(call.errors for call in calls)
    assert shown["faults"] == [str(call) for call in calls if not call.ok]


def test_a_steady_rate_does_not_wait_for_what_is_slow() -> None:
    """Calls begin on time though none has ended, and the end of the block waits for all."""
    begun, ended, gate = [], [], threading.Event()
    enough = threading.Event()

    def slow(number: int) -> None:
        begun.append(number)
        if len(begun) == 5:
            enough.set()
        gate.wait(10)
        ended.append(number)

    with Steady(200, slow):
        assert enough.wait(10)
        assert not ended
        gate.set()
    assert sorted(begun) == sorted(ended) == list(range(len(begun)))


def test_without_karmada_there_is_nothing_to_rehearse(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the way out."""
    monkeypatch.delenv("KARMADA_DIR", raising=False)
    result = CliRunner().invoke(main, ["carrier"])
    assert isinstance(result.exception, FederationError)
    assert "KARMADA_DIR is not set" in str(result.exception)
