import type { HookContext } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { ModelCall } from "./model-call.ts";
import type { Steering } from "./steering.ts";

/** A call that may be routed: the model is known, the hooks have seen it, the key may call it. */
export interface PreparedCall {
  readonly call: ModelCall;
  /** The configuration in force when the call began; a reload does not change a running call. */
  readonly config: GatewayConfig;
  /** After overrides and aliases. */
  readonly model: string;
  /** The request data after the pre-call hooks. */
  readonly data: JsonObject;
  /** The caller's bytes as long as the hooks did not change the request. */
  readonly raw: Buffer | undefined;
  readonly stream: boolean;
  readonly steering: Steering;
  readonly hookContext: HookContext;
  /** What the call's tailor changes for the deployment at hand. */
  readonly tailored?: ReadonlyMap<string, unknown>;
}
