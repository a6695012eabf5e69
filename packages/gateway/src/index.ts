export { GatewayError } from "./contract/errors.ts";
export type { HookContext, Hooks } from "./contract/hook.ts";
export type { JsonObject } from "./contract/json.ts";
export type { Principal } from "./contract/principal.ts";
