import { amount, flag, ignored, optional, text, textMap, texts, unenforced } from "./option.ts";

/** An entry of `general_settings.pass_through_endpoints`: a path of the gateway that stands for another address. */
export const passThroughOptions = {
  path: text("", "Its path at the gateway."),
  target: text("", "The http(s) address to which its requests go."),
  headers: textMap(
    "Headers of each request to the target; `os.environ/NAME` within a text is that environment variable. `LANGFUSE_PUBLIC_KEY` and `LANGFUSE_SECRET_KEY` become Langfuse's authorization.",
  ),
  forward_headers: flag(
    false,
    "Send the caller's headers too, but for credentials, cookies, and what concerns the connection or the gateway; without it `accept` and `content-type` alone.",
  ),
  include_subpath: flag(false, "Take the paths below it too; what follows is put behind the target."),
  methods: texts([], "HTTP methods that it takes; none means all."),
  cost_per_request: optional(
    amount(0, "US dollars that a request costs; without it keys under a budget are refused."),
  ),
  default_query_params: textMap("Parameters of the query where the caller sends none of the name."),
  timeout: optional(amount(600, "Seconds until the answer begins; `request_timeout` otherwise.", 0.001)),
  guardrails: unenforced("hook modules under `callbacks`, and `guard`, see every request"),
  auth: ignored("a key is always needed"),
  id: ignored("an endpoint is known by its path"),
  is_from_config: ignored("all are"),
} as const;
