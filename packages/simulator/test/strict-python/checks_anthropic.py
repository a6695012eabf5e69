"""Calls every Anthropic operation through the official client, which refuses what its types do not allow."""

import time

TOOLS = [
    {
        "name": name,
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    }
    for name in ("weather", "forecast")
]


def user(text):
    return [{"role": "user", "content": text}]


def messages(client, model):
    whole = client.messages.create(model=model, max_tokens=100, messages=user("hello"))
    assert whole.content[0].text == "echo: hello", whole
    cut = client.messages.create(
        model=model, max_tokens=3, messages=user("a long text that does not fit")
    )
    assert cut.stop_reason == "max_tokens", cut
    stopped = client.messages.create(
        model=model, max_tokens=99, messages=user("one two"), stop_sequences=["two"]
    )
    assert (
        stopped.stop_reason == "stop_sequence" and stopped.stop_sequence == "two"
    ), stopped


def message_tools(client, model):
    question = user("[[sim:parallel]] weather?")
    first = client.messages.create(
        model=model, max_tokens=500, messages=question, tools=TOOLS
    )
    assert [block.type for block in first.content] == ["tool_use", "tool_use"], first
    results = [
        {"type": "tool_result", "tool_use_id": block.id, "content": "sunny"}
        for block in first.content
    ]
    content = [
        block.model_dump(exclude_none=True, include={"type", "id", "name", "input"})
        for block in first.content
    ]
    history = [
        *question,
        {"role": "assistant", "content": content},
        {"role": "user", "content": results},
    ]
    answer = client.messages.create(
        model=model, max_tokens=500, messages=history, tools=TOOLS
    )
    assert answer.content[0].text == "tool said: sunny; sunny", answer


def message_stream(client, model):
    cases = [
        ("hello there", {}),
        ("[[sim:parallel]] weather?", {"tools": TOOLS}),
        ("think", {"thinking": {"type": "enabled", "budget_tokens": 1024}}),
    ]
    for text, extra in cases:
        events = list(
            client.messages.create(
                model=model, max_tokens=2000, messages=user(text), stream=True, **extra
            )
        )
        types = [event.type for event in events]
        assert types[0] == "message_start" and types[-2:] == [
            "message_delta",
            "message_stop",
        ], types
    with client.messages.stream(
        model=model, max_tokens=99, messages=user("hello")
    ) as stream:
        assert stream.get_final_text() == "echo: hello"


def message_thinking(client, model):
    thinking = {"type": "enabled", "budget_tokens": 1024}
    question = user("[[sim:think]] weather?")
    settings = {
        "model": model,
        "max_tokens": 3000,
        "thinking": thinking,
        "tools": TOOLS,
    }
    first = client.messages.create(messages=question, **settings)
    assert first.content[0].type == "thinking" and first.content[0].signature, first
    call = next(block for block in first.content if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}
    history = [
        *question,
        {"role": "assistant", "content": first.content},
        {"role": "user", "content": [result]},
    ]
    answer = client.messages.create(messages=history, **settings)
    assert answer.content[-1].text == "tool said: sunny", answer


def message_cache(client, model):
    marker = f"instructions {time.time_ns()} "
    system = [
        {"type": "text", "text": marker * 500, "cache_control": {"type": "ephemeral"}}
    ]
    settings = {
        "model": model,
        "max_tokens": 99,
        "system": system,
        "messages": user("hi"),
    }
    assert client.messages.create(**settings).usage.cache_creation_input_tokens > 0
    assert client.messages.create(**settings).usage.cache_read_input_tokens > 0


def count_tokens(client, model):
    assert (
        client.messages.count_tokens(
            model=model, messages=user("hello"), tools=TOOLS
        ).input_tokens
        > 0
    )


def models(client, model):
    assert client.models.list().data
    assert client.models.retrieve(model).id


def batches(client, model):
    params = {"model": model, "max_tokens": 99}
    requests = [
        {"custom_id": name, "params": {**params, "messages": user(text)}}
        for name, text in (("a", "one"), ("b", "[[sim:fault status=529]]"))
    ]
    batch = client.messages.batches.create(requests=requests)
    deadline = time.monotonic() + 30
    while client.messages.batches.retrieve(batch.id).processing_status != "ended":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    lines = list(client.messages.batches.results(batch.id))
    assert [line.result.type for line in lines] == ["succeeded", "errored"], lines
    assert batch.id in [item.id for item in client.messages.batches.list()]
    other = client.messages.batches.create(requests=requests)
    assert client.messages.batches.cancel(other.id).processing_status in (
        "canceling",
        "ended",
    )
    client.messages.batches.delete(batch.id)


CHECKS = [
    messages,
    message_tools,
    message_stream,
    message_thinking,
    message_cache,
    count_tokens,
    models,
    batches,
]
