"""anthropic: messages with their stream helper, parser and the runner of tools."""

import anthropic
from common import *

client = anthropic.Anthropic(base_url=URL, api_key=KEY)
impatient = client.with_options(max_retries=0)


def request(text):
    return {"model": MODEL, "max_tokens": 1000, "messages": [{"role": "user", "content": text}]}


def answer(client=client, text=ASK):
    message = client.messages.create(**request(text))
    assert message.content[0].text == ANSWER, message
    assert message.usage.output_tokens > 0


def stream():
    with client.messages.stream(**request(ASK)) as events:
        text = "".join(events.text_stream)
        message = events.get_final_message()
    assert text == message.content[0].text == ANSWER, message
    assert message.usage.output_tokens > 0


declared = [anthropic.beta_tool(tool) for tool in TOOLS.values()]


def tools():
    message = client.beta.messages.tool_runner(**request(ASK_TOOLS), tools=declared).until_done()
    check_loop(message.content[-1].text)


def streamed_tools():
    for events in client.beta.messages.tool_runner(**request(ASK_TOOLS), tools=declared, stream=True):
        message = events.get_final_message()
    check_loop(message.content[-1].text)


def structured():
    message = client.messages.parse(**request(ASK_CITY), output_format=City)
    assert isinstance(message.parsed_output, City), message


def error():
    check_429(lambda: answer(impatient, ASK_429), anthropic.RateLimitError)


def retry():
    fail_once()
    answer()


run(
    answer=answer,
    stream=stream,
    tools=tools,
    streamed_tools=streamed_tools,
    structured=structured,
    error=error,
    retry=retry,
)
