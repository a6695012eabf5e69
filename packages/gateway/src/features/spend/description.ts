import { answers, type GroupDescription, query } from "../../contract/operation.ts";
import { amount, flag, list, object, orNull, text, whole } from "../../contract/schema.ts";

const row = object({
  request_id: text("The call's id."),
  api_key: text("The key's hash."),
  user: orNull(text()),
  team_id: orNull(text()),
  model: text(),
  model_id: orNull(text("The deployment.")),
  custom_llm_provider: orNull(text()),
  call_type: text(),
  status: text(),
  prompt_tokens: whole(),
  completion_tokens: whole(),
  total_tokens: whole(),
  cache_read_input_tokens: whole(),
  cache_creation_input_tokens: whole(),
  spend: amount("US dollars."),
  startTime: text(),
  endTime: text(),
});

/** What calls cost. */
export const spendDescription: GroupDescription = {
  tag: "Spend",
  about: "What was used and what it cost, a row a request. Keys that do not administer see their own.",
  operations: [
    {
      method: "GET",
      path: "/spend/logs",
      id: "listSpend",
      summary: "List the spend log, newest first",
      parameters: [
        query("api_key", "A key or its hash."),
        query("user", "A user's id."),
        query("team_id", "A team's id."),
        query("model", "A model's name."),
        query("request_id", "A call's id."),
        query("start_date", "A date or a time."),
        query("end_date", "A date, which counts to its end, or a time."),
        query("page", "From 1.", whole()),
        query("page_size", "Rows on a page, at most 1000.", whole()),
      ],
      answer: answers(
        "A page of rows.",
        object({ "data!": list(row), "has_more!": flag(), page: whole(), page_size: whole() }),
      ),
    },
  ],
};
