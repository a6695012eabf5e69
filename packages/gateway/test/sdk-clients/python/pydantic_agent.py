"""pydantic-ai: agents with tools and typed output on each maker's model class."""

import asyncio

from common import *
from pydantic_ai import Agent, NativeOutput, Tool
from pydantic_ai.exceptions import ModelHTTPError


def model_with(retries):
    if WAY == "messages":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(base_url=URL, api_key=KEY, max_retries=retries)
        return AnthropicModel(MODEL, provider=AnthropicProvider(anthropic_client=client))
    if WAY == "contents":
        from google import genai
        from google.genai.types import HttpOptions, HttpRetryOptions
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        options = HttpOptions(base_url=URL, retry_options=HttpRetryOptions(attempts=retries + 1))
        client = genai.Client(api_key=KEY, http_options=options)
        return GoogleModel(MODEL, provider=GoogleProvider(client=client))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=retries)
    kind = OpenAIChatModel if WAY == "chat" else OpenAIResponsesModel
    return kind(MODEL, provider=OpenAIProvider(openai_client=client))


def agent(retries=2, **more):
    return Agent(model_with(retries), **more)


def with_tools():
    return agent(tools=[Tool(tool, name=name) for name, tool in TOOLS.items()])


def answer(retries=2, text=ASK):
    result = agent(retries).run_sync(text)
    assert result.output == ANSWER, result


def streamed(agent, text):
    async def loop():
        async with agent.run_stream(text) as result:
            return "".join([delta async for delta in result.stream_text(delta=True)])

    return asyncio.run(loop())


def stream():
    assert streamed(agent(), ASK) == ANSWER


def tools():
    check_loop(with_tools().run_sync(ASK_TOOLS).output)


def streamed_tools():
    check_loop(streamed(with_tools(), ASK_TOOLS))


def structured():
    # Its class for Anthropic offers schemas for Anthropic's own models only, by their names.
    has_schemas = WAY != "messages" or MODEL.startswith("claude")
    for output in (City, NativeOutput(City)) if has_schemas else (City,):
        result = agent(output_type=output).run_sync(ASK_CITY)
        assert isinstance(result.output, City), result


def error():
    check_429(lambda: answer(0, ASK_429), ModelHTTPError)


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
