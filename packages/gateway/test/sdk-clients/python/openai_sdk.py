"""openai: chat completions and responses with their stream helpers, parsers and the runner of tools."""

import json

import openai
from common import *

client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY)
impatient = client.with_options(max_retries=0)


def messages(text):
    return [{"role": "user", "content": text}]


class Chat:
    def answer(self, client=client, text=ASK):
        answer = client.chat.completions.create(model=MODEL, messages=messages(text))
        assert answer.choices[0].message.content == ANSWER, answer
        assert answer.usage.total_tokens > 0

    def stream(self):
        with client.chat.completions.stream(
            model=MODEL, messages=messages(ASK), stream_options={"include_usage": True}
        ) as stream:
            deltas = [event.delta for event in stream if event.type == "content.delta"]
            answer = stream.get_final_completion()
        assert "".join(deltas) == answer.choices[0].message.content == ANSWER, answer
        assert answer.usage.total_tokens > 0

    def tools(self):
        self.loop(lambda **request: client.chat.completions.create(**request))

    def streamed_tools(self):
        def streamed(**request):
            with client.chat.completions.stream(**request) as stream:
                return stream.get_final_completion()

        self.loop(streamed)

    def loop(self, ask):
        history = messages(ASK_TOOLS)
        offered = [
            {
                "type": "function",
                "function": {"name": name, "description": tool.__doc__, "parameters": CITY, "strict": True},
            }
            for name, tool in TOOLS.items()
        ]
        for _ in range(4):
            message = ask(model=MODEL, messages=history, tools=offered).choices[0].message
            if not message.tool_calls:
                break
            history.append(message.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}))
            for call in message.tool_calls:
                result = TOOLS[call.function.name](**json.loads(call.function.arguments))
                history.append({"role": "tool", "tool_call_id": call.id, "content": result})
        check_loop(message.content)

    def structured(self):
        answer = client.chat.completions.parse(model=MODEL, messages=messages(ASK_CITY), response_format=City)
        assert isinstance(answer.choices[0].message.parsed, City), answer

    def error(self):
        check_429(lambda: self.answer(impatient, ASK_429), openai.RateLimitError)

    def retry(self):
        fail_once()
        self.answer()


class Responses:
    def answer(self, client=client, text=ASK):
        answer = client.responses.create(model=MODEL, input=text)
        assert answer.output_text == ANSWER, answer
        assert answer.usage.total_tokens > 0

    def stream(self):
        with client.responses.stream(model=MODEL, input=ASK) as stream:
            deltas = [event.delta for event in stream if event.type == "response.output_text.delta"]
            answer = stream.get_final_response()
        assert "".join(deltas) == answer.output_text == ANSWER, answer

    def tools(self, stream=False):
        from openai.lib.responses_tool_runner import RegisteredFunction, ResponsesToolRunner

        def registered(name, tool):
            declared = {
                "type": "function",
                "name": name,
                "description": tool.__doc__,
                "parameters": CITY,
                "strict": True,
            }
            return RegisteredFunction(tool=declared, execute=lambda args: tool(**args))

        runner = ResponsesToolRunner(functions=[registered(name, tool) for name, tool in TOOLS.items()])
        check_loop(runner.run(client, {"model": MODEL, "input": ASK_TOOLS}, stream=stream).output_text)

    def streamed_tools(self):
        self.tools(stream=True)

    def structured(self):
        answer = client.responses.parse(model=MODEL, input=ASK_CITY, text_format=City)
        assert isinstance(answer.output_parsed, City), answer

    def error(self):
        check_429(lambda: self.answer(impatient, ASK_429), openai.RateLimitError)

    def retry(self):
        fail_once()
        self.answer()


way = Chat() if WAY == "chat" else Responses()
run(
    answer=way.answer,
    stream=way.stream,
    tools=way.tools,
    streamed_tools=way.streamed_tools,
    structured=way.structured,
    error=way.error,
    retry=way.retry,
)
