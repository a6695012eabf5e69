import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { amount, either, flag, list, object, orNull, text, whole } from "../../contract/schema.ts";

const message = object({
  "role!": text("`system`, `developer`, `user`, `assistant` or `tool`"),
  content: orNull(either(text(), list(object({ "type!": text() })))),
  tool_calls: list(object()),
  tool_call_id: text(),
});

const usage = object({ prompt_tokens: whole(), completion_tokens: whole(), total_tokens: whole() });

/** Chat completions, as OpenAI's API reference has them. */
export const chatDescription: GroupDescription = {
  tag: "Chat completions",
  about: "OpenAI's chat completions in front of every provider.",
  operations: [
    {
      method: "POST",
      path: "/v1/chat/completions",
      id: "createChatCompletion",
      summary: "Create a chat completion",
      about:
        "Fields that are not listed here pass through to the provider, or are translated where it speaks another format.",
      request: json(
        object({
          "model!": text("A name of the model list, an alias, or a deployment's id."),
          "messages!": list(message),
          stream: flag("Answer with server-sent events."),
          stream_options: object({ include_usage: flag() }),
          max_completion_tokens: whole(),
          temperature: amount(),
          top_p: amount(),
          tools: list(object()),
          tool_choice: either(text(), object()),
          response_format: object(),
        }),
      ),
      answer: {
        ...answers(
          "The completion; with `stream`, its chunks and then `[DONE]`.",
          object({
            "id!": text(),
            "object!": text("`chat.completion`"),
            created: whole(),
            model: text(),
            "choices!": list(object({ index: whole(), message, finish_reason: orNull(text()) })),
            usage,
          }),
        ),
        stream: "`data:` lines with `chat.completion.chunk` objects, then `data: [DONE]`.",
        isModelCall: true,
      },
    },
  ],
};
