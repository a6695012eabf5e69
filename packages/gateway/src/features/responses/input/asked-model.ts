import { missingField } from "../../../contract/errors.ts";
import type { Exchange } from "../../../contract/exchange.ts";
import { filledText, type JsonObject } from "../../../contract/json.ts";
import { ownAlias, type Principal } from "../../../contract/principal.ts";
import { effectiveModel, requireEffectiveModel } from "../../../core/call/prepare-call.ts";
import type { GatewayConfig } from "../../../platform/config/gateway-config.ts";

/** The model that a request asks for. @throws GatewayError 400 where it names none and the configuration neither */
export function askedModel(body: JsonObject, principal: Principal, config: GatewayConfig): string {
  const model = effectiveModel(meantModel(body, principal), "responses", config);
  if (model === undefined) throw missingField("model");
  return model;
}

/** The same, noted in the call's record. @throws GatewayError 403 where the key may not call it */
export function allowedModel(
  body: JsonObject,
  { principal, call }: Pick<Exchange, "principal" | "call">,
  config: GatewayConfig,
): string {
  const model = askedModel(body, principal, config);
  call.model = model;
  requireEffectiveModel(principal, meantModel(body, principal), model, "responses", config);
  return model;
}

function meantModel({ model }: JsonObject, principal: Principal): string | undefined {
  const named = filledText(model);
  return named === undefined ? undefined : ownAlias(principal, named);
}
