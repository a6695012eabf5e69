import { amount, count, ignored, oneOf, text, textMap, texts } from "./option.ts";

/** An entry of `callback_settings` with `callback_type: generic_api`: where records of calls go. */
export const callbackOptions = {
  callback_type: text("", "`generic_api`; entries of other types have no effect."),
  endpoint: text("", "The http(s) address to which records are posted; none go anywhere without it."),
  headers: textMap("Headers of each request; `os.environ/NAME` within a text is that environment variable."),
  event_types: texts(
    ["llm_api_success", "llm_api_failure"],
    "Of which calls: `llm_api_success`, `llm_api_failure`; of both where it is missing.",
  ),
  log_format: oneOf(
    ["json_array", "ndjson", "single"],
    "json_array",
    "A list of records, a record in each line, or a request for each.",
  ),
  batch_size: count(100, "Records of one request at most.", 1),
  flush_interval: amount(5, "Seconds that a record waits for others to go with it.", 0.01),
  timeout: amount(10, "Seconds that a request may take.", 0.01),
  max_retries: ignored("what is not taken is sent again as long as there is room for what waits"),
  retry_delay: ignored("pauses grow from one second to thirty"),
} as const;
