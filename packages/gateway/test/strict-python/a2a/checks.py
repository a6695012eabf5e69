"""Calls every A2A method of an agent behind the gateway with the official client, in one protocol version.

The client refuses answers that do not fit the protocol's types; what it accepts is checked here for its meaning.
"""

import argparse
import asyncio
import http.server
import json
import threading

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import (
    AuthenticationInfo,
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError


def request(text, number=iter(range(10**6)), **configuration):
    message = Message(
        message_id=f"m{next(number)}", role=Role.ROLE_USER, parts=[Part(text=text)]
    )
    return SendMessageRequest(
        message=message, configuration=SendMessageConfiguration(**configuration)
    )


def text_of(task):
    return "".join(part.text for artifact in task.artifacts for part in artifact.parts)


class Hook(http.server.BaseHTTPRequestHandler):
    received = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        Hook.received.append((self.headers, json.loads(body)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


async def eventually(look):
    for _ in range(200):
        found = look()
        if found:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to pass")


async def connect(options, streaming):
    headers = {"authorization": f"Bearer {options.key}"}
    http_client = httpx.AsyncClient(headers=headers, timeout=60)
    card = await A2ACardResolver(
        http_client, f"{options.url}/a2a/{options.agent}"
    ).get_agent_card()
    kept = [
        one
        for one in card.supported_interfaces
        if one.protocol_version == options.version
    ]
    assert len(kept) == 1 and kept[0].url == f"{options.url}/a2a/{options.agent}", card
    assert (
        card.security_schemes["bearer"].http_auth_security_scheme.scheme == "bearer"
    ), card
    card.ClearField("supported_interfaces")
    card.supported_interfaces.extend(kept)
    return ClientFactory(
        ClientConfig(streaming=streaming, httpx_client=http_client)
    ).create(card)


async def collect(events):
    return [event async for event in events]


async def check_send(client, streaming, options):
    (answer,) = await collect(client.send_message(request("hello")))
    assert answer.task.status.state == TaskState.TASK_STATE_COMPLETED, answer
    assert text_of(answer.task).endswith(": hello"), answer
    task = await client.get_task(GetTaskRequest(id=answer.task.id))
    assert (
        text_of(task) == text_of(answer.task)
        and task.context_id == answer.task.context_id
    ), task
    assert [message.role for message in task.history][:1] == [Role.ROLE_USER], task
    if options.version == "1.0":
        listed = await client.list_tasks(ListTasksRequest(context_id=task.context_id))
        assert [one.id for one in listed.tasks] == [task.id], listed


async def check_stream(client, streaming, options):
    events = await collect(streaming.send_message(request("stream")))
    kinds = [event.WhichOneof("payload") for event in events]
    assert (
        kinds[0] == "task"
        and "artifact_update" in kinds
        and kinds[-1] == "status_update"
    ), kinds
    assert (
        events[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED
    ), events[-1]


async def check_cancel(client, streaming, options):
    slow = (
        "[[sim:tokens 3000]] [[sim:delay 20]]" if options.agent == "local" else "slow"
    )
    (answer,) = await collect(
        client.send_message(request(slow, return_immediately=True))
    )
    followed = asyncio.create_task(
        collect(streaming.subscribe(SubscribeToTaskRequest(id=answer.task.id)))
    )
    await asyncio.sleep(0.3)
    cancelled = await client.cancel_task(CancelTaskRequest(id=answer.task.id))
    assert cancelled.status.state == TaskState.TASK_STATE_CANCELED, cancelled
    events = await followed
    assert (
        events[-1].status_update.status.state == TaskState.TASK_STATE_CANCELED
    ), events
    for task_id, expected in [
        (answer.task.id, TaskNotCancelableError),
        ("task_none", TaskNotFoundError),
    ]:
        try:
            await client.cancel_task(CancelTaskRequest(id=task_id))
            raise AssertionError("a task was cancelled that cannot be")
        except expected:
            pass


async def check_push(client, streaming, options):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    slow = "[[sim:latency 500]] soon" if options.agent == "local" else "soon"
    (answer,) = await collect(
        client.send_message(request(slow, return_immediately=True))
    )
    task_id = answer.task.id
    config = TaskPushNotificationConfig(
        task_id=task_id,
        id="mine",
        url=f"http://127.0.0.1:{server.server_port}/",
        token="token",
        authentication=AuthenticationInfo(scheme="Bearer", credentials="credentials"),
    )
    created = await client.create_task_push_notification_config(config)
    assert created == config, created
    got = await client.get_task_push_notification_config(
        GetTaskPushNotificationConfigRequest(task_id=task_id, id="mine")
    )
    assert got == config, got
    listing = ListTaskPushNotificationConfigsRequest(task_id=task_id)
    assert list(
        (await client.list_task_push_notification_configs(listing)).configs
    ) == [config]
    headers, body = await eventually(
        lambda: next((one for one in Hook.received if task_id in str(one[1])), None)
    )
    assert headers["x-a2a-notification-token"] == "token", headers
    assert headers["authorization"] == "Bearer credentials", headers
    assert (body["task"] if options.version == "1.0" else body)["id"] == task_id, body
    await client.delete_task_push_notification_config(
        DeleteTaskPushNotificationConfigRequest(task_id=task_id, id="mine")
    )
    assert (
        list((await client.list_task_push_notification_configs(listing)).configs) == []
    )
    server.shutdown()


async def check_card(client, streaming, options):
    card = await client.get_extended_agent_card(GetExtendedAgentCardRequest())
    assert (
        card.supported_interfaces[0].url == f"{options.url}/a2a/{options.agent}"
    ), card


async def main():
    parser = argparse.ArgumentParser()
    for name in ("url", "key", "agent", "version"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    client, streaming = await connect(options, False), await connect(options, True)
    for check in (check_send, check_stream, check_cancel, check_push, check_card):
        await asyncio.wait_for(check(client, streaming, options), 60)
        print(f"  {check.__name__.removeprefix('check_')}: ok")


asyncio.run(main())
