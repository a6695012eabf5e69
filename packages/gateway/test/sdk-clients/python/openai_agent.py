"""openai-agents: its runner with tools and typed output, on chat completions and on responses."""

import asyncio

import openai
from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from common import *

set_tracing_disabled(True)


def agent(retries=2, **more):
    client = openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=retries)
    kind = OpenAIChatCompletionsModel if WAY == "chat" else OpenAIResponsesModel
    return Agent(name="helper", model=kind(MODEL, client), **more)


def with_tools():
    return agent(tools=[function_tool(tool) for tool in TOOLS.values()])


def answer(retries=2, text=ASK):
    result = Runner.run_sync(agent(retries), text)
    assert result.final_output == ANSWER, result


def streamed(agent, text):
    async def loop():
        result = Runner.run_streamed(agent, text)
        deltas = [
            event.data.delta
            async for event in result.stream_events()
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
        ]
        assert "".join(deltas).endswith(result.final_output), deltas
        return result.final_output

    return asyncio.run(loop())


def stream():
    assert streamed(agent(), ASK) == ANSWER


def tools():
    check_loop(Runner.run_sync(with_tools(), ASK_TOOLS).final_output)


def streamed_tools():
    check_loop(streamed(with_tools(), ASK_TOOLS))


def structured():
    result = Runner.run_sync(agent(output_type=City), ASK_CITY)
    assert isinstance(result.final_output, City), result


def error():
    check_429(lambda: answer(0, ASK_429), openai.RateLimitError)


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
