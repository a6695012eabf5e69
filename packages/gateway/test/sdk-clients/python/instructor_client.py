"""instructor: typed answers by tools and by schemas; it has neither plain answers nor loops of tools."""

import instructor
from common import *
from instructor import Mode


def client_with(retries, mode):
    if WAY == "messages":
        import anthropic

        client = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=retries)
        return instructor.from_anthropic(client, mode=mode, model=MODEL, max_tokens=1000)
    if WAY == "contents":
        from google import genai
        from google.genai.types import HttpOptions, HttpRetryOptions

        options = HttpOptions(base_url=URL, retry_options=HttpRetryOptions(attempts=retries + 1))
        return instructor.from_genai(genai.Client(api_key=KEY, http_options=options), mode=mode, model=MODEL)
    import openai

    client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=retries)
    return instructor.from_openai(client, mode=mode, model=MODEL)


MODES = {
    "chat": [Mode.TOOLS, Mode.JSON_SCHEMA, Mode.JSON, Mode.MD_JSON],
    "responses": [Mode.RESPONSES_TOOLS],
    "messages": [Mode.TOOLS, Mode.JSON],
    "contents": [Mode.TOOLS, Mode.JSON],
}[WAY]


def ask(retries=2, text=ASK_CITY, mode=MODES[0]):
    messages = [{"role": "user", "content": text}]
    return client_with(retries, mode).create(response_model=City, messages=messages, max_retries=1)


def stream():
    messages = [{"role": "user", "content": ASK_CITY}]
    last = list(client_with(2, MODES[0]).create_partial(response_model=City, messages=messages))[-1]
    assert last.city, last


def structured():
    for mode in MODES:
        city = ask(mode=mode)
        assert isinstance(city, City), city


def error():
    check_429(lambda: ask(0, ASK_429))


def retry():
    fail_once()
    structured()


run(stream=stream, structured=structured, error=error, retry=retry)
