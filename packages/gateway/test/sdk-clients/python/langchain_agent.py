"""LangChain: chat models of each maker's package, agents with tools, structured output."""

from common import *
from langchain.agents import create_agent


def model_with(retries):
    if WAY == "messages":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model=MODEL, base_url=URL, api_key=KEY, max_retries=retries, max_tokens=1000)
    if WAY == "contents":
        from langchain_google_genai import ChatGoogleGenerativeAI

        # Its retries are tries.
        return ChatGoogleGenerativeAI(model=MODEL, base_url=URL, api_key=KEY, max_retries=retries + 1)
    from langchain_openai import ChatOpenAI

    uses_responses = WAY == "responses"
    return ChatOpenAI(
        model=MODEL, base_url=URL + "/v1", api_key=KEY, max_retries=retries, use_responses_api=uses_responses
    )


model = model_with(2)
agent = create_agent(model, list(TOOLS.values()))
request = {"messages": [{"role": "user", "content": ASK_TOOLS}]}


def answer(model=model, text=ASK):
    message = model.invoke(text)
    assert message.text == ANSWER, message
    assert message.usage_metadata["total_tokens"] > 0


def stream():
    chunks = list(model.stream(ASK))
    assert "".join(chunk.text for chunk in chunks) == ANSWER, chunks


def tools():
    check_loop(agent.invoke(request)["messages"][-1].text)


def streamed_tools():
    chunks = [message for message, _ in agent.stream(request, stream_mode="messages")]
    check_loop("".join(chunk.text for chunk in chunks if chunk.type == "AIMessageChunk"))


def structured():
    city = model.with_structured_output(City, method="json_schema").invoke(ASK_CITY)
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
