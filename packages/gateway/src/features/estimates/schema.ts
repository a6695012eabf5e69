import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { amount, list, object, orNull, text, whole } from "../../contract/schema.ts";
import { chatMessage } from "../../formats/chat/fields.ts";

const model = text("A name of the model list, an alias, or a deployment's id.", { minLength: 1 });
const messages = orNull(list(chatMessage));

/** What `/utils/token_counter` takes. */
export const countedText = object({
  "model!": model,
  messages,
  prompt: orNull(text("A text in place of messages.")),
  contents: orNull(list(object(), "Google's contents in place of messages.")),
  tools: orNull(list(object())),
});

/** What `/spend/calculate` takes. */
export const pricedCall = object({
  model: orNull(model),
  messages,
  completion_response: orNull(
    object({ model: orNull(text()), usage: orNull(object()) }, "An answer, whose tokens are priced."),
  ),
});

/** What calls would use and cost, without asking a provider. */
export const estimateDescription: GroupDescription = {
  tag: "Estimates",
  about: "LiteLLM's paths for what a call would use and cost. No provider is asked.",
  operations: [
    {
      method: "POST",
      path: "/utils/token_counter",
      id: "countTokens",
      summary: "Count the tokens of messages or of a text",
      query: object({ call_endpoint: text("Has no effect: `count_tokens` asks the provider.") }),
      request: json(countedText),
      answer: answers(
        "The count.",
        object({
          "total_tokens!": whole(),
          "request_model!": text("As it was asked for."),
          "model_used!": text("Whose tokens they are."),
          "tokenizer_type!": text("`local_tokenizer`."),
        }),
      ),
      errors: { 400: { when: "The body has neither `messages` nor `prompt` nor `contents`." } },
    },
    {
      method: "POST",
      path: "/spend/calculate",
      id: "calculateSpend",
      summary: "Price the input of a call, or an answer",
      request: json(pricedCall),
      answer: answers("The price.", object({ "cost!": amount("US dollars.") })),
      errors: { 400: { when: "There is nothing to price, or the model has no price." } },
    },
  ],
};
