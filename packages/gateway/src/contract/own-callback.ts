/** A destination that a team has for the spans of its calls. */
export interface OwnCallback {
  readonly callback_name: string;
  readonly callback_type: "success" | "failure" | "success_and_failure";
  /** Given by the configuration: its address may lead anywhere. */
  readonly isOperators?: true;
  /** By LiteLLM's names; what is secret is sealed. */
  readonly callback_vars: Readonly<Record<string, string>>;
}
