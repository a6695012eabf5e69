import type { Target } from "../../contract/deployment.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Handler } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import { ownAlias } from "../../contract/principal.ts";
import { object } from "../../contract/schema.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { countAtProvider } from "../../core/call/count-at-provider.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { effectiveModel, requireEffectiveModel } from "../../core/call/prepare-call.ts";
import { requireVisibleReferences } from "../../core/call/request-references.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { countTokensFields } from "../../formats/gemini/fields.ts";
import { inCamelCase } from "../../formats/gemini/spelling.ts";
import { withoutPackedSignatures } from "../../formats/gemini/thought-signature.ts";
import { modelOf } from "./generate.ts";

const schema = object(countTokensFields);

/** `countTokens`: Google's own count where the model is Google's, else the local tokenizer's. */
export function countHandler(deps: CallDeps): Handler {
  return async (exchange) => {
    const body = inCamelCase(readJsonObject(await exchange.readBody()), schema);
    const model = modelOf(exchange);
    const run = (data: JsonObject): Promise<JsonObject> => count(deps, exchange, model, data);
    return governedJson(deps, exchange, { ...body, model }, run);
  };
}

async function count(
  deps: CallDeps,
  exchange: Exchange,
  model: string,
  data: JsonObject,
): Promise<JsonObject> {
  const meant = ownAlias(exchange.principal, model);
  const config = deps.config.current;
  const effective = effectiveModel(meant, "gemini", config) ?? meant;
  exchange.call.model = effective;
  requireEffectiveModel(exchange.principal, meant, effective, "gemini", config);
  const { model: _, ...request } = data;
  const inner = isJsonObject(request.generateContentRequest) ? request.generateContentRequest : request;
  const { contents } = inner;
  if (!Array.isArray(contents) || contents.length === 0)
    throw invalidRequest("contents: contents is not specified", "contents");
  await requireVisibleReferences(deps.references, inner, exchange.principal);
  const counted = await countAtProvider(deps, exchange, effective, {
    format: "gemini",
    path: (name) => upstreamPath`/models/${name}:countTokens`,
    body: async (target) => bodyFor(inner, target),
    read: (answer) => answer.totalTokens,
  });
  const totalTokens = counted ?? (await deps.countTokens({ ...inner, model: effective }));
  return { totalTokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: totalTokens }] };
}

/** Vertex AI takes what is beside the contents as it stands, Gemini's API within a whole request. */
function bodyFor({ model: _, ...request }: JsonObject, { deployment, model }: Target): JsonObject {
  const cleaned = { ...request, contents: withoutPackedSignatures(request.contents) };
  if (deployment.provider === "vertex_ai" || Object.keys(request).length === 1) return cleaned;
  return { generateContentRequest: { model: `models/${model}`, ...cleaned } };
}
