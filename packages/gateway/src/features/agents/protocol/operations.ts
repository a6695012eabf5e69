import type { ProtocolVersion } from "./a2a-types.ts";

/** What callers ask of an agent, by the method's name in version 1.0, and its name in 0.3. */
const legacyMethods = {
  SendMessage: "message/send",
  SendStreamingMessage: "message/stream",
  GetTask: "tasks/get",
  ListTasks: "tasks/list",
  CancelTask: "tasks/cancel",
  SubscribeToTask: "tasks/resubscribe",
  CreateTaskPushNotificationConfig: "tasks/pushNotificationConfig/set",
  GetTaskPushNotificationConfig: "tasks/pushNotificationConfig/get",
  ListTaskPushNotificationConfigs: "tasks/pushNotificationConfig/list",
  DeleteTaskPushNotificationConfig: "tasks/pushNotificationConfig/delete",
  GetExtendedAgentCard: "agent/getAuthenticatedExtendedCard",
} as const;

export type Operation = keyof typeof legacyMethods;

const byLegacyMethod = new Map(
  Object.entries(legacyMethods).map(([name, legacy]) => [legacy as string, name]),
);

/** The operation that a method name stands for and the version that has this name; `undefined` for unknown ones. */
export function operationOf(method: string): { operation: Operation; version: ProtocolVersion } | undefined {
  if (Object.hasOwn(legacyMethods, method)) return { operation: method as Operation, version: "1.0" };
  const operation = byLegacyMethod.get(method);
  return operation === undefined ? undefined : { operation: operation as Operation, version: "0.3" };
}

/** The method's name in a version. */
export function methodName(operation: Operation, version: ProtocolVersion): string {
  return version === "1.0" ? operation : legacyMethods[operation];
}

/** Whether the operation's answer is a stream of events. */
export function streams(operation: Operation): boolean {
  return operation === "SendStreamingMessage" || operation === "SubscribeToTask";
}

/** Whether the operation has an agent work. */
export function asks(operation: Operation): boolean {
  return operation === "SendMessage" || operation === "SendStreamingMessage";
}
