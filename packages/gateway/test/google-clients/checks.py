"""What google-genai does against a gateway, for each model; ends with 1 if anything fails."""

import argparse
import asyncio
import sys
import traceback

from google import genai
from google.genai import errors, types
from pydantic import BaseModel

parser = argparse.ArgumentParser()
parser.add_argument("--base-url", required=True)
parser.add_argument("--key", required=True)
parser.add_argument("--models", required=True)
parser.add_argument("--embedding-models", required=True)
options = parser.parse_args()


def client_with(key):
    return genai.Client(api_key=key, http_options=types.HttpOptions(base_url=options.base_url))


client = client_with(options.key)


class City(BaseModel):
    city: str


def weather(city: str) -> str:
    """The weather in a city."""
    return "sunny"


declared = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(
            name="weather",
            parameters_json_schema={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        )
    ]
)


def generate(model):
    config = types.GenerateContentConfig(system_instruction="be kind", max_output_tokens=50, stop_sequences=["zzz"])
    answer = client.models.generate_content(model=model, contents="hello", config=config)
    assert answer.text == "echo: hello", answer
    assert answer.candidates[0].finish_reason == types.FinishReason.STOP
    assert answer.usage_metadata.total_token_count > 0
    assert answer.response_id and answer.model_version


def stream(model):
    chunks = list(client.models.generate_content_stream(model=model, contents="hello there"))
    assert "".join(chunk.text or "" for chunk in chunks) == "echo: hello there"
    assert chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP


def stream_async(model):
    async def run():
        text = ""
        async for chunk in await client.aio.models.generate_content_stream(model=model, contents="hello"):
            text += chunk.text or ""
        return text

    assert asyncio.run(run()) == "echo: hello"


def automatic_functions(model):
    config = types.GenerateContentConfig(tools=[weather])
    answer = client.models.generate_content(model=model, contents="weather?", config=config)
    assert "sunny" in answer.text, answer
    assert len(answer.automatic_function_calling_history) >= 3


def chat_with_thoughts(model):
    config = types.GenerateContentConfig(
        tools=[declared], thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=1024)
    )
    chat = client.chats.create(model=model, config=config)
    calls = []
    for chunk in chat.send_message_stream("weather? [[sim:think]]"):
        calls += chunk.function_calls or []
    answered = types.Part.from_function_response(name=calls[0].name, response={"result": "sunny"})
    assert "sunny" in chat.send_message([answered]).text
    # What a chat keeps goes through JSON when a program stores it.
    kept = [types.Content.model_validate_json(content.model_dump_json()) for content in chat.get_history()]
    again = client.chats.create(model=model, config=config, history=kept)
    assert "bye" in again.send_message("thanks [[sim:say bye]]").text


def structured_output(model):
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=City)
    answer = client.models.generate_content(model=model, contents="a city", config=config)
    assert isinstance(answer.parsed, City), answer.text


def picture(model):
    part = types.Part.from_bytes(data=b"\x89PNG\r\n\x1a\n", mime_type="image/png")
    answer = client.models.generate_content(model=model, contents=[part, "what is it"])
    assert answer.text == "echo: what is it"


def count(model):
    assert client.models.count_tokens(model=model, contents="hello there").total_tokens > 0


def refusals(model):
    for status in (400, 429, 500):
        try:
            client.models.generate_content(model=model, contents=f"[[sim:fault status={status}]]")
        except errors.APIError as error:
            assert error.code == status, error
        else:
            raise AssertionError(f"no error for {status}")
    stranger = client_with("sk-unknown")
    try:
        stranger.models.generate_content(model=model, contents="hello")
    except errors.ClientError as error:
        assert (error.code, error.status) == (401, "UNAUTHENTICATED")
    else:
        raise AssertionError("an unknown key was taken")


def broken_stream(model):
    text = "[[sim:tokens 200]] [[sim:fault cut=3000]]"
    try:
        list(client.models.generate_content_stream(model=model, contents=text))
    except errors.APIError as error:
        assert error.code == 502
    else:
        raise AssertionError("a broken stream looked complete")


def embed(model):
    several = client.models.embed_content(
        model=model, contents=["a", "b"], config=types.EmbedContentConfig(output_dimensionality=4)
    )
    assert [len(embedding.values) for embedding in several.embeddings] == [4, 4]


def lists(model):
    names = [each.name for each in client.models.list(config={"page_size": 3})]
    assert f"models/{model}" in names, names
    assert client.models.get(model=model).name == f"models/{model}"


CHECKS = [
    generate,
    stream,
    stream_async,
    automatic_functions,
    chat_with_thoughts,
    structured_output,
    picture,
    count,
    refusals,
    broken_stream,
    lists,
]


def run(checks, models):
    failed = False
    for check in checks:
        cells = []
        for model in models:
            try:
                check(model)
                cells.append("ok")
            except Exception:
                failed = True
                cells.append("FAIL")
                traceback.print_exc()
        print(f"{check.__name__:<22}" + "".join(f"{cell:<18}" for cell in cells), flush=True)
    return failed


models = options.models.split(",")
print(f"{'google-genai ' + genai.__version__:<22}" + "".join(f"{model:<18}" for model in models))
any_failed = run(CHECKS, models)
embedding_models = options.embedding_models.split(",")
print(f"{'':<22}" + "".join(f"{model:<18}" for model in embedding_models))
any_failed = run([embed], embedding_models) or any_failed
sys.exit(1 if any_failed else 0)
