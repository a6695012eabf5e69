import { noStore } from "../../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../../contract/exchange.ts";
import { type Change, type Changer, changerOf } from "../records/change.ts";
import { rolesOf } from "../roles.ts";
import { Actor } from "./actor.ts";
import { changeAtOnce, type KeyManagement } from "./key-management.ts";

/** What a management route gets beside the request. */
export interface Managed {
  readonly exchange: Exchange;
  readonly parts: KeyManagement;
  readonly actor: Actor;
}

/** Whoever asks for a change of what is managed. */
export function changerIn({ exchange, parts, actor }: Managed): Changer {
  const changer = changerOf(exchange);
  if (actor.isProxyAdmin) return changer;
  const { userId, isHeldByOthers } = actor.principal;
  // Who has the text of a user's key, too, is not known to be the user.
  return { ...changer, isTaken: parts.isOfFile, ...(isHeldByOthers === true ? {} : { userId }) };
}

/** Runs a change and forgets what is remembered, so that it is in force at once. */
export function changing<T>(managed: Managed, work: (under: Change) => Promise<T>): Promise<T> {
  return changeAtOnce(managed.parts, changerIn(managed), work);
}

type ManagedHandler = (managed: Managed) => Promise<object>;

/** Whether a value is a whole answer and not only its body. */
function isReply(value: object): value is Reply {
  return "status" in value && "headers" in value && ("body" in value || "stream" in value);
}

/**
 * Makes the routes of a feature that manages: each looks up the roles of its caller in the one table of roles. Without a
 * store every one answers that there is none.
 */
export function managementRoutes(
  parts: KeyManagement | undefined,
  callType: string,
  handlers: Readonly<Record<string, ManagedHandler>>,
): Route[] {
  return Object.entries(handlers).map(([name, handler]) => {
    const [method, path] = name.split(" ") as [Route["method"], string];
    // `/end_user/*` is LiteLLM's older name of `/customer/*`.
    const row = rolesOf({ method, path: path.replace(/^\/end_user\//, "/customer/") });
    const isForAdministrators = Object.keys(row).every((role) => role.startsWith("proxy_admin"));
    return {
      method,
      path,
      access: isForAdministrators ? "admin" : "key",
      family: "openai",
      callType,
      handler: async (exchange) => {
        if (parts === undefined) throw noStore();
        const actor = await Actor.of(exchange.principal, row, path, parts.entities);
        const answer = await handler({ exchange, parts, actor });
        return isReply(answer) ? answer : { status: 200, body: answer };
      },
    };
  });
}
