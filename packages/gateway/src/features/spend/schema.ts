import { answers, type GroupDescription } from "../../contract/operation.ts";
import { amount, flag, list, object, orNull, text, whole, word } from "../../contract/schema.ts";
import { periodQuery } from "./period.ts";
import { reportOperations } from "./report-schema.ts";

const count = { minimum: 1, maximum: 999_999_999 };

/** The query of the spend log. */
export const spendQuery = object({
  api_key: text("A key or its hash."),
  key: text("The same."),
  user: text("A user's id."),
  user_id: text("The same."),
  team_id: text("A team's id."),
  team: text("The same."),
  model: text("A model's name."),
  request_id: text("A call's id."),
  session_id: text("A session of an agent or client."),
  search: text(
    "Words that stand in what the row says of the request, among the newest 20,000 rows that the other filters leave.",
    { maxLength: 200 },
  ),
  ...periodQuery,
  start: periodQuery.start_date,
  start_time: periodQuery.start_date,
  end: periodQuery.end_date,
  end_time: periodQuery.end_date,
  page: whole("From 1.", { ...count, default: 1 }),
  page_size: whole("Rows on a page, at most 1000.", { ...count, default: 100 }),
  limit: whole("The same.", count),
  format: word(
    ["json", "csv"],
    "`csv` (or `Accept: text/csv`) exports all pages at once, the newest million rows that the filters leave.",
  ),
});

const row = object({
  request_id: text("The call's id."),
  api_key: text("The key's hash."),
  user: orNull(text()),
  team_id: orNull(text()),
  organization_id: orNull(text()),
  end_user: text("The customer that the request named; empty where it named none."),
  session_id: orNull(text("The session of an agent or client that the request named.")),
  request_tags: list(text(), "Tags of the request and its key."),
  model: orNull(text()),
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
  completionStartTime: orNull(text("When the answer of a stream began.")),
  cache_hit: flag("The answer was that of an earlier call."),
  metadata: object({}, "The caller's labels: short texts, numbers and truth values of its `metadata`."),
  tools: list(text(), "The tools whose results the request brought, by name."),
  failed_tries: list(
    object({
      "model_id!": text("The deployment."),
      "ms!": whole("Milliseconds."),
      "status!": whole("HTTP status."),
    }),
    "Tries that gave no answer.",
  ),
  fallbacks: whole("How many other models were tried."),
});

/** The query of the list of sessions. */
export const sessionsQuery = object(periodQuery);

const session = object({
  "session_id!": text(),
  "api_key!": text("The key's hash."),
  user: orNull(text()),
  team_id: orNull(text()),
  "models!": list(text()),
  "requests!": whole(),
  "failures!": whole(),
  "prompt_tokens!": whole(),
  "completion_tokens!": whole(),
  "cache_read_input_tokens!": whole(),
  "tools!": list(
    object({ "name!": text(), "calls!": whole() }),
    "Tools whose results the requests brought, the most used first.",
  ),
  "spend!": amount("US dollars."),
  "startTime!": text(),
  "endTime!": text(),
});

/** What calls cost. */
export const spendDescription: GroupDescription = {
  tag: "Spend",
  about:
    "What was used and what it cost, a row a request, and reports over these rows: everything for administrators, else what was spent by what the caller administers and by itself.",
  operations: [
    {
      method: "GET",
      path: "/spend/logs",
      id: "listSpend",
      summary: "List the spend log, newest first",
      query: spendQuery,
      answer: answers(
        "A page of rows.",
        object({ "data!": list(row), "has_more!": flag(), page: whole(), page_size: whole() }),
      ),
    },
    {
      method: "GET",
      path: "/spend/sessions",
      id: "listSessions",
      summary: "List the sessions of agents among the newest 1,000 requests that name one",
      about:
        "A request names its session in `x-portico-session-id` or the headers of LiteLLM, Claude Code and Codex, in `litellm_session_id`, `metadata.session_id`, or as Claude Code does in `metadata.user_id`.",
      query: sessionsQuery,
      answer: answers(
        "Those that went on last first.",
        object({ "data!": list(session), "has_more!": flag("There are older requests.") }),
      ),
    },
    ...reportOperations,
  ],
};
