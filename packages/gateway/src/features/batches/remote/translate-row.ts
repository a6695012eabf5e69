import type { LanguageModelV3 } from "@ai-sdk/provider";
import { invalidRequest } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Usage } from "../../../contract/usage.ts";
import type { CallDeps } from "../../../core/call/model-call.ts";
import { directDeployment } from "../../../core/routing/direct-deployment.ts";
import type { DialectFormat } from "../../../formats/registry.ts";
import { requestId } from "../run/row-result.ts";
import type { RemoteContext } from "./remote-api.ts";

/** A row in the caller's format. */
export interface CallerRow {
  readonly batchId: string;
  readonly line: number;
  readonly format: DialectFormat;
  readonly body: JsonObject;
}

/** An answer in the caller's format. */
export interface TranslatedAnswer {
  readonly body: JsonObject;
  readonly usage: Usage | undefined;
}

/** Ends a call whose request was only wanted for its body. */
class RequestSeen extends Error {}

/**
 * A row as the provider's own request: what its language model would send for the call.
 * @throws GatewayError 400 for a body that cannot be translated
 */
export async function toRemoteRequest(
  deps: CallDeps,
  context: RemoteContext,
  { format, body }: CallerRow,
): Promise<JsonObject> {
  const { provider, model } = context;
  if (provider.native.has(format)) return { ...body, model };
  let seen: unknown;
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    seen = JSON.parse(String(init?.body));
    throw new RequestSeen("only the request is wanted");
  };
  try {
    await languageModel(context, fetch).doGenerate(deps.dialectOf(format).toCallOptions(body));
  } catch (error) {
    if (seen === undefined) throw error;
  }
  if (!isJsonObject(seen)) throw invalidRequest("The request cannot be sent to this provider");
  return seen;
}

/** The provider's answer of a row in the caller's format: what its language model would make of it. */
export async function fromRemoteAnswer(
  deps: CallDeps,
  context: RemoteContext,
  row: CallerRow,
  answer: JsonObject,
): Promise<TranslatedAnswer> {
  const dialect = deps.dialectOf(row.format);
  if (context.provider.native.has(row.format)) return { body: answer, usage: dialect.usageOf(answer) };
  const fetch: typeof globalThis.fetch = async () => Response.json(answer);
  const result = await languageModel(context, fetch).doGenerate(dialect.toCallOptions(row.body));
  const body = dialect.fromResult(result, {
    model: typeof row.body.model === "string" ? row.body.model : context.model,
    request: row.body,
    callId: requestId(row.batchId, row.line),
    created: Math.floor(Date.now() / 1000),
  });
  return { body, usage: dialect.usageOf(body) };
}

function languageModel(
  { provider, origin, model }: RemoteContext,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const deployment = origin.deployment ?? directDeployment(`${origin.provider}/${model}`);
  return provider.languageModel(deployment, model, fetch);
}
