"""google-genai: contents, streams, functions that the client calls by itself."""

from common import *
from google import genai
from google.genai import errors, types


def client_with(attempts):
    retry = types.HttpRetryOptions(attempts=attempts)
    return genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=URL, retry_options=retry))


client = client_with(3)


def answer(client=client, text=ASK):
    content = client.models.generate_content(model=MODEL, contents=text)
    assert content.text == ANSWER, content
    assert content.usage_metadata.total_token_count > 0


def stream():
    chunks = list(client.models.generate_content_stream(model=MODEL, contents=ASK))
    assert "".join(chunk.text or "" for chunk in chunks) == ANSWER, chunks
    assert chunks[-1].usage_metadata.total_token_count > 0


with_tools = types.GenerateContentConfig(tools=list(TOOLS.values()))


def tools():
    check_loop(client.models.generate_content(model=MODEL, contents=ASK_TOOLS, config=with_tools).text)


def streamed_tools():
    chat = client.chats.create(model=MODEL, config=with_tools)
    parts = [part for chunk in chat.send_message_stream(ASK_TOOLS) for part in chunk.parts or []]
    check_loop("".join(part.text or "" for part in parts))


def structured():
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=City)
    content = client.models.generate_content(model=MODEL, contents=ASK_CITY, config=config)
    assert isinstance(content.parsed, City), content


def error():
    check_429(lambda: answer(client_with(1), ASK_429), errors.ClientError)


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
