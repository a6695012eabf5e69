"""LlamaIndex: models of each maker's package, agents with tools, structured output."""

import asyncio

from common import *
from llama_index.core.agent.workflow import AgentStream, FunctionAgent
from llama_index.core.tools import FunctionTool


def model_with(retries):
    if WAY == "messages":
        from llama_index.llms.anthropic import Anthropic

        return Anthropic(model=MODEL, base_url=URL, api_key=KEY, max_retries=retries)
    if WAY == "contents":
        from google.genai.types import HttpOptions, HttpRetryOptions
        from llama_index.llms.google_genai import GoogleGenAI

        options = HttpOptions(base_url=URL, retry_options=HttpRetryOptions(attempts=retries + 1))
        return GoogleGenAI(model=MODEL, api_key=KEY, http_options=options, max_retries=retries)
    from llama_index.llms.openai_like import OpenAILike

    return OpenAILike(
        model=MODEL,
        api_base=URL + "/v1",
        api_key=KEY,
        max_retries=retries,
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
        context_window=100_000,
    )


model = model_with(2)


def agent_of(streaming):
    tools = [FunctionTool.from_defaults(tool, name=name) for name, tool in TOOLS.items()]
    return FunctionAgent(tools=tools, llm=model, streaming=streaming)


def answer(model=model, text=ASK):
    assert str(model.complete(text)) == ANSWER


def stream():
    assert "".join(chunk.delta or "" for chunk in model.stream_complete(ASK)) == ANSWER


def tools():
    async def loop():
        return str(await agent_of(False).run(ASK_TOOLS))

    check_loop(asyncio.run(loop()))


def streamed_tools():
    async def loop():
        handler = agent_of(True).run(ASK_TOOLS)
        deltas = [event.delta async for event in handler.stream_events() if isinstance(event, AgentStream)]
        assert "sunny" in "".join(deltas), deltas
        return str(await handler)

    check_loop(asyncio.run(loop()))


def structured():
    city = model.as_structured_llm(City).complete(ASK_CITY).raw
    assert isinstance(city, City), city


def error():
    check_429(lambda: answer(model_with(0), ASK_429))


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
