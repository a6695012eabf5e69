"""Calls every OpenAI operation through the official client, which refuses what its types do not allow."""

import io
import json
import time

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    }
    for name in ("weather", "forecast")
]
RESPONSE_TOOLS = [
    {"type": "function", "strict": False, **tool["function"]} for tool in TOOLS
]
SCHEMA = {
    "type": "object",
    "properties": {
        "age": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["age", "tags"],
    "additionalProperties": False,
}


def user(text):
    return [{"role": "user", "content": text}]


def until(read, ends, seconds=30):
    deadline = time.monotonic() + seconds
    while True:
        found = read()
        if found.status in ends:
            return found
        assert time.monotonic() < deadline, f"still {found.status}"
        time.sleep(0.05)


def chat(client, model):
    completions = client.chat.completions
    whole = completions.create(model=model, messages=user("hello"))
    assert whole.choices[0].message.content == "echo: hello", whole
    several = completions.create(
        model=model, messages=user("[[sim:tokens 9]]"), max_tokens=4
    )
    assert several.choices[0].finish_reason == "length", several
    shaped = completions.create(
        model=model,
        messages=user("who?"),
        response_format={
            "type": "json_schema",
            "json_schema": {"name": "p", "schema": SCHEMA, "strict": True},
        },
    )
    assert set(json.loads(shaped.choices[0].message.content)) == {"age", "tags"}


def chat_tools(client, model):
    completions = client.chat.completions
    question = user("[[sim:parallel]] weather?")
    message = (
        completions.create(model=model, messages=question, tools=TOOLS)
        .choices[0]
        .message
    )
    assert len(message.tool_calls) == 2, message
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
        for call in message.tool_calls
    ]
    history = [
        *question,
        message.model_dump(exclude_none=True, include={"role", "tool_calls"}),
        *results,
    ]
    answer = completions.create(model=model, messages=history, tools=TOOLS)
    assert answer.choices[0].message.content == "tool said: sunny; sunny", answer


def chat_stream(client, model):
    text = ""
    usage = None
    stream = client.chat.completions.create(
        model=model,
        messages=user("hello there"),
        stream=True,
        stream_options={"include_usage": True},
    )
    for chunk in stream:
        usage = chunk.usage or usage
        text += "".join(choice.delta.content or "" for choice in chunk.choices)
    assert text == "echo: hello there", text
    assert usage is not None
    names = []
    for chunk in client.chat.completions.create(
        model=model,
        messages=user("[[sim:parallel]] weather?"),
        tools=TOOLS,
        stream=True,
    ):
        for choice in chunk.choices:
            names += [
                call.function.name
                for call in choice.delta.tool_calls or []
                if call.function.name
            ]
    assert names == ["weather", "forecast"], names


def embeddings(client, model):
    # The client asks for base64 by default, which its own type then refuses; only floats can be checked strictly.
    found = client.embeddings.create(
        model=model, input=["a", "b"], dimensions=8, encoding_format="float"
    )
    assert [len(item.embedding) for item in found.data] == [8, 8]


def models(client, model):
    assert client.models.list().data
    assert client.models.retrieve(model).id


def responses(client, model):
    first = client.responses.create(model=model, input="weather?", tools=RESPONSE_TOOLS)
    call = next(item for item in first.output if item.type == "function_call")
    output = [
        {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
    ]
    second = client.responses.create(
        model=model, input=output, previous_response_id=first.id, tools=RESPONSE_TOOLS
    )
    assert second.output_text == "tool said: sunny", second
    assert client.responses.retrieve(second.id).id == second.id
    assert client.responses.input_items.list(second.id).data
    shape = {
        "format": {"type": "json_schema", "name": "p", "schema": SCHEMA, "strict": True}
    }
    shaped = client.responses.create(model=model, input="who?", text=shape)
    assert set(json.loads(shaped.output_text)) == {"age", "tags"}
    cut = client.responses.create(
        model=model, input="[[sim:tokens 99]]", max_output_tokens=16
    )
    assert cut.status == "incomplete", cut
    assert (
        client.responses.input_tokens.count(model=model, input="hello").input_tokens > 0
    )
    client.responses.delete(second.id)


def response_stream(client, model):
    cases = [
        ("hello", {}),
        ("[[sim:parallel]] weather?", {"tools": RESPONSE_TOOLS}),
        (
            "think",
            {
                "reasoning": {"effort": "low", "summary": "auto"},
                "include": ["reasoning.encrypted_content"],
            },
        ),
        ("[[sim:refuse]]", {}),
        ("[[sim:tokens 40]]", {"max_output_tokens": 16}),
    ]
    for text, extra in cases:
        numbers = []
        last = None
        for event in client.responses.create(
            model=model, input=text, stream=True, **extra
        ):
            numbers.append(event.sequence_number)
            last = event
        assert numbers == list(range(len(numbers))), numbers
        assert last.type in ("response.completed", "response.incomplete"), last
    again = [
        event.sequence_number
        for event in client.responses.retrieve(
            last.response.id, stream=True, starting_after=2
        )
    ]
    assert again[0] == 3, again


def response_background(client, model):
    first = client.responses.create(model=model, input="hello", background=True)
    until(lambda: client.responses.retrieve(first.id), ("completed",))
    second = client.responses.create(model=model, input="hello", background=True)
    assert client.responses.cancel(second.id).status in ("cancelled", "completed")
    events = list(
        client.responses.create(
            model=model, input="hello", background=True, stream=True
        )
    )
    assert events[-1].type == "response.completed"


def conversations(client, model):
    conversation = client.conversations.create(
        items=[{"type": "message", "role": "user", "content": "before"}]
    )
    client.responses.create(model=model, input="now", conversation=conversation.id)
    assert len(client.conversations.items.list(conversation.id).data) == 3
    assert client.conversations.retrieve(conversation.id).id == conversation.id
    client.conversations.update(conversation.id, metadata={"k": "v"})
    client.conversations.delete(conversation.id)


def files_and_batches(client, model):
    lines = [
        {
            "custom_id": name,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": model, "messages": user(text)},
        }
        for name, text in (("a", "one"), ("b", "[[sim:fault status=429]]"))
    ]
    content = "\n".join(json.dumps(line) for line in lines).encode()
    file = client.files.create(
        file=("rows.jsonl", io.BytesIO(content)), purpose="batch"
    )
    assert client.files.retrieve(file.id).id == file.id
    assert file.id in [item.id for item in client.files.list()]
    create = {
        "input_file_id": file.id,
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
    }
    batch = client.batches.create(**create, metadata={"k": "v"})
    done = until(lambda: client.batches.retrieve(batch.id), ("completed",))
    assert done.request_counts.total == 2, done
    assert b"echo: one" in client.files.content(done.output_file_id).read()
    other = client.batches.create(**create)
    assert client.batches.cancel(other.id).status in ("cancelling", "cancelled")
    assert batch.id in [item.id for item in client.batches.list()]
    client.files.delete(file.id)


def containers(client, _model):
    container = client.containers.create(name="box")
    assert client.containers.retrieve(container.id).name == "box"
    assert container.id in [item.id for item in client.containers.list()]
    file = client.containers.files.create(
        container.id, file=("note.txt", io.BytesIO(b"hello"))
    )
    assert (
        client.containers.files.retrieve(file.id, container_id=container.id).bytes == 5
    )
    assert [item.id for item in client.containers.files.list(container.id)] == [file.id]
    assert (
        client.containers.files.content.retrieve(
            file.id, container_id=container.id
        ).read()
        == b"hello"
    )
    client.containers.files.delete(file.id, container_id=container.id)
    client.containers.delete(container.id)


def videos(client, _model):
    video = client.videos.create(prompt="a fox", seconds="4")
    client.videos.create(
        prompt="a fox", input_reference=("start.png", io.BytesIO(b"png"))
    )
    until(lambda: client.videos.retrieve(video.id), ("completed",))
    assert client.videos.download_content(video.id).read()[4:8] == b"ftyp"
    remix = client.videos.remix(video.id, prompt="at night")
    assert remix.id in [item.id for item in client.videos.list()]
    client.videos.delete(remix.id)


CHECKS = [
    chat,
    chat_tools,
    chat_stream,
    embeddings,
    models,
    responses,
    response_stream,
    response_background,
    conversations,
    files_and_batches,
    containers,
    videos,
]
