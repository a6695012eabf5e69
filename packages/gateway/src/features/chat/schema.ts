import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { list, object, orNull, text, whole } from "../../contract/schema.ts";
import { chatFields, chatMessage } from "../../formats/chat/fields.ts";

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
      request: json(object(chatFields)),
      answer: {
        ...answers(
          "The completion; with `stream`, its chunks and then `[DONE]`.",
          object({
            "id!": text(),
            "object!": text("`chat.completion`"),
            created: whole(),
            model: text(),
            "choices!": list(object({ index: whole(), message: chatMessage, finish_reason: orNull(text()) })),
            usage,
          }),
        ),
        stream: "`data:` lines with `chat.completion.chunk` objects, then `data: [DONE]`.",
        isModelCall: true,
      },
    },
  ],
};
