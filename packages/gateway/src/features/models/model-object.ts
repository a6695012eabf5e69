import type { JsonObject } from "../../contract/json.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { modelFacts, targetFor } from "./model-facts.ts";

/** Seconds since the epoch; models of a gateway have no date of their own, and clients want one. */
const CREATED = 1_677_610_602;

/**
 * A model as OpenAI's and Anthropic's clients read it (Anthropic API reference, "Models": limits and `capabilities`).
 * @param id a name of the model list, an alias, or a name that a wildcard of the list takes
 */
export function modelObject(id: string, config: GatewayConfig): JsonObject {
  const target = targetFor(id, config);
  const facts = target === undefined ? {} : modelFacts(target);
  return {
    id,
    object: "model",
    created: CREATED,
    owned_by: target?.deployment.provider ?? "portico",
    type: "model",
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: /(?:haiku|sonnet|opus)/.exec(target?.model ?? id)?.[0] ?? null,
    max_input_tokens: facts.max_input_tokens ?? null,
    max_tokens: facts.max_output_tokens ?? null,
    capabilities: facts.supports_vision === undefined ? null : capabilitiesOf(facts),
  };
}

/** Anthropic's `capabilities`: all of its keys are always there. */
function capabilitiesOf(facts: JsonObject): JsonObject {
  const only = (supported: unknown): JsonObject => ({ supported: supported === true });
  const { supports_vision: vision, supports_pdf_input: pdf, supports_reasoning: reasoning } = facts;
  const { supports_web_search: search, supports_response_schema: schema } = facts;
  // Anthropic's own tools, which all of its models with thinking have.
  const isClaude = facts.litellm_provider === "anthropic" && reasoning === true;
  const thinkingTypes = {
    adaptive: only(reasoning),
    between_tools: only(isClaude),
    disabled: only(true),
    enabled: only(reasoning),
  };
  return {
    batch: only(true),
    citations: only(isClaude),
    code_execution: only(isClaude),
    context_management: {
      supported: isClaude,
      clear_thinking_20251015: only(isClaude),
      clear_tool_uses_20250919: only(isClaude),
      compact_20260112: only(isClaude),
    },
    effort: {
      supported: reasoning === true,
      ...Object.fromEntries(
        ["low", "medium", "high", "max", "xhigh"].map((level) => [level, only(reasoning)]),
      ),
    },
    image_input: only(vision),
    pdf_input: only(pdf),
    server_tools: { supported: search === true, code_execution: only(isClaude), web_search: only(search) },
    structured_outputs: only(schema),
    thinking: { supported: reasoning === true, types: thinkingTypes },
  };
}
