import type { LanguageModelV3CallOptions, LanguageModelV3ProviderTool } from "@ai-sdk/provider";
import type { CallRecord } from "../../contract/call-record.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { Provider } from "../../contract/provider.ts";

/**
 * Tools that a provider runs on its own side. A model without them still answers; tools that the caller runs (a shell,
 * a computer) are not among them, since the caller would wait for calls in vain.
 */
const HOSTED_TOOLS =
  /^(?:openai\.(?:web_search|file_search|code_interpreter|image_generation|mcp|tool_search|programmatic_tool_calling)|anthropic\.(?:web_search|web_fetch|code_execution|tool_search_tool))(?:_|$)/;

/**
 * The call with hosted tools as its provider has them. One that it lacks is left out, and named to the caller in a
 * header, unless the configuration asks for a refusal.
 * @throws GatewayError 400 naming a tool that cannot be left out
 */
export function fitTools(
  options: LanguageModelV3CallOptions,
  provider: Provider,
  model: string,
  record: CallRecord,
  isStrict: boolean,
): LanguageModelV3CallOptions {
  if (options.tools?.some(({ type }) => type === "provider") !== true) return options;
  const omitted: string[] = [];
  const tools = options.tools.flatMap((tool) => {
    if (tool.type === "function") return tool;
    const own = provider.hostedTool?.(tool, options, model);
    if (own !== undefined) return own;
    if (isStrict || !HOSTED_TOOLS.test(tool.id)) throw unavailable(tool, provider);
    omitted.push(tool.name);
    return [];
  });
  if (omitted.length > 0) record.omittedTools = omitted;
  const { tools: _, toolChoice, ...rest } = options;
  return {
    ...rest,
    ...(tools.length === 0 ? {} : { tools }),
    // Without tools nothing can be chosen.
    ...(toolChoice === undefined || tools.length === 0 ? {} : { toolChoice }),
  };
}

function unavailable({ id }: LanguageModelV3ProviderTool, { name }: Provider) {
  return invalidRequest(`tools: the tool ${id} is not available at the provider ${name}`, "tools");
}
