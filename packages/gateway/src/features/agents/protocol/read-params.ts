import { check } from "../../../contract/check.ts";
import { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Schema, ValueOf } from "../../../contract/schema.ts";
import { A2AError, invalidParams } from "./a2a-error.ts";
import type { Message, PushConfig, SendParams } from "./a2a-types.ts";
import type { Operation } from "./operations.ts";
import { paramsOf } from "./schema.ts";

/** Values without the members that count as absent. */
type Present<T> = { [Name in keyof T]: Exclude<T[Name], null | undefined> };

/** An operation's parameters, checked. */
export type Params<Op extends Operation> = Present<ValueOf<(typeof paramsOf)[Op]>>;

/** Where notifications go, before it has a task and an id. */
export type PushTarget = Omit<PushConfig, "taskId" | "id"> & { id?: string };

/**
 * Reads an operation's parameters in version 1.0.
 * @throws A2AError -32602 that names the field
 */
export function readParams<Op extends Operation>(operation: Op, params: JsonObject): Params<Op> {
  try {
    return present(check(paramsOf[operation] as Schema<object>, params)) as Params<Op>;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new A2AError("invalidParams", error.message, { data: { field: error.param } });
  }
}

/** The parameters of a message as the agents take them. @throws A2AError -32602 for a part without or of two kinds */
export function readSend({ message, configuration, metadata }: Params<"SendMessage">): SendParams {
  return {
    message: readMessage(message),
    ...(configuration === undefined ? {} : { configuration: readConfiguration(present(configuration)) }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function readMessage(message: Params<"SendMessage">["message"]): Message {
  const parts = message.parts.map((given, index) => {
    const part = withoutNull(given);
    const kinds = ["text", "raw", "url", "data"].filter((kind) => Object.hasOwn(part, kind));
    if (kinds.length === 1) return part;
    throw invalidParams(`message.parts.${index}`, "a part with exactly one of text, raw, url and data");
  });
  return { ...present(message), parts };
}

function readConfiguration({
  taskPushNotificationConfig: push,
  ...rest
}: Present<NonNullable<Params<"SendMessage">["configuration"]>>) {
  return { ...rest, ...(push === undefined ? {} : { taskPushNotificationConfig: readPushTarget(push) }) };
}

/** Where notifications go; authentication without a scheme is none. */
export function readPushTarget(
  given: NonNullable<NonNullable<Params<"SendMessage">["configuration"]>["taskPushNotificationConfig"]>,
): PushTarget {
  const { url, id, token, authentication } = present(given);
  const { scheme, credentials } = present(authentication ?? {});
  return {
    url,
    ...(id === undefined ? {} : { id }),
    ...(token === undefined ? {} : { token }),
    ...(scheme === undefined
      ? {}
      : { authentication: { scheme, ...(credentials === undefined ? {} : { credentials }) } }),
  };
}

/** In the JSON of protocol buffers a member that is null or an empty text is an absent one. */
function present<T extends object>(value: T): Present<T> {
  return without(value, (member) => member === null || member === "");
}

/** A part's empty text is its text. */
function withoutNull<T extends object>(value: T): Present<T> {
  return without(value, (member) => member === null);
}

function without<T extends object>(value: T, isAbsent: (member: unknown) => boolean): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isAbsent(member))) as Present<T>;
}
