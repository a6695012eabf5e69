import { isJsonObject, type JsonObject } from "../../../../contract/json.ts";
import type { PushConfig, SendParams } from "../a2a-types.ts";
import type { Operation } from "../operations.ts";
import { readState } from "../task-state.ts";
import { fromLegacyMessage, toLegacyMessage } from "./legacy-message.ts";

/** Parameters of version 0.3 in the names and shapes of 1.0, to be checked like those of 1.0. */
export function fromLegacyParams(operation: Operation, params: JsonObject): JsonObject {
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
      return fromLegacySend(params);
    case "CreateTaskPushNotificationConfig":
      return {
        ...fromLegacyPush(params.pushNotificationConfig ?? {}),
        taskId: params.taskId,
      };
    case "GetTaskPushNotificationConfig":
    case "DeleteTaskPushNotificationConfig":
    case "ListTaskPushNotificationConfigs":
      return { taskId: params.id, id: params.pushNotificationConfigId };
    case "ListTasks":
      return params.status === undefined ? params : { ...params, status: readState(params.status) };
    default:
      return params;
  }
}

function fromLegacySend(params: JsonObject): JsonObject {
  const { configuration } = params;
  const message = fromLegacyMessage(params.message, "message");
  if (!isJsonObject(configuration)) return { ...params, message };
  const { blocking, pushNotificationConfig: push, ...rest } = configuration;
  return {
    ...params,
    message,
    configuration: {
      ...rest,
      ...(blocking === undefined || blocking === null ? {} : { returnImmediately: blocking === false }),
      ...(push === undefined || push === null ? {} : { taskPushNotificationConfig: fromLegacyPush(push) }),
    },
  };
}

function fromLegacyPush(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {};
  const { authentication, ...rest } = value;
  if (!isJsonObject(authentication)) return rest;
  const { schemes, credentials } = authentication;
  const scheme = Array.isArray(schemes) ? schemes[0] : undefined;
  return { ...rest, authentication: { scheme, ...(credentials === undefined ? {} : { credentials }) } };
}

/** A push configuration as version 0.3 has it. */
export function toLegacyPushConfig({ taskId, authentication, ...rest }: PushConfig): JsonObject {
  return {
    taskId,
    pushNotificationConfig: {
      ...rest,
      ...(authentication === undefined
        ? {}
        : {
            authentication: {
              schemes: [authentication.scheme],
              ...(authentication.credentials === undefined
                ? {}
                : { credentials: authentication.credentials }),
            },
          }),
    },
  };
}

/** Parameters of `SendMessage` as version 0.3 has them; notifications are the gateway's own business. */
export function toLegacySend({ message, configuration, metadata }: SendParams): JsonObject {
  return {
    message: toLegacyMessage(message),
    ...(configuration === undefined
      ? {}
      : {
          configuration: {
            acceptedOutputModes: configuration.acceptedOutputModes ?? [],
            blocking: configuration.returnImmediately !== true,
            ...(configuration.historyLength === undefined
              ? {}
              : { historyLength: configuration.historyLength }),
          },
        }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
