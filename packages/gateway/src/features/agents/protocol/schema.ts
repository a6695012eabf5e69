import { flag, given, list, object, type Schema, text, whole, word } from "../../../contract/schema.ts";
import type { Operation } from "./operations.ts";
import { taskStates } from "./task-state.ts";

/** Parts that one message may have; the body's limit holds besides. */
const MAX_PARTS = 1000;
const MAX_PAGE = 100;

/** ISO 8601 with a zone, or empty, which is absent. `Date.parse` reads much else, such as bare numbers. */
const ISO_TIME = String.raw`^$|^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$`;

const id = text(undefined, { minLength: 1 });
const historyLength = whole("The last messages of the task's history to answer with; absent: all.", {
  minimum: 0,
});

const part = given(
  {
    text: text(),
    raw: text("Base64."),
    url: text(),
    data: {},
    filename: text(),
    mediaType: text(),
    metadata: object(),
  },
  "One piece of content, with exactly one of `text`, `raw`, `url` and `data`.",
);

const message = given({
  "messageId!": id,
  "role!": word(["ROLE_USER", "ROLE_AGENT"]),
  "parts!": list(part, undefined, { minItems: 1, maxItems: MAX_PARTS }),
  contextId: text(),
  taskId: text(),
  metadata: object(),
  extensions: list(text()),
  referenceTaskIds: list(text(), undefined, { maxItems: 100 }),
});

const pushTarget = {
  id: text(),
  "url!": text("Where the task's changes are posted.", { format: "uri" }),
  token: text(),
  authentication: given({ scheme: text(), credentials: text() }),
} as const;

const send = given({
  "message!": message,
  configuration: given({
    acceptedOutputModes: list(text()),
    historyLength,
    returnImmediately: flag(),
    taskPushNotificationConfig: given(pushTarget),
  }),
  metadata: object(),
});

const ofTask = given({ "id!": id });

/** The parameters of each operation as version 1.0 has them (A2A specification 1.0, section 3). */
export const paramsOf = {
  SendMessage: send,
  SendStreamingMessage: send,
  GetTask: given({ "id!": id, historyLength }),
  ListTasks: given({
    contextId: text(),
    status: word(taskStates),
    pageSize: whole(undefined, { minimum: 1, maximum: MAX_PAGE }),
    pageToken: text("`nextPageToken` of the page before."),
    historyLength,
    statusTimestampAfter: text("a time in ISO 8601", {
      pattern: ISO_TIME,
      examples: ["2026-01-31T12:00:00Z"],
    }),
    includeArtifacts: flag(),
  }),
  CancelTask: ofTask,
  SubscribeToTask: ofTask,
  CreateTaskPushNotificationConfig: given({ "taskId!": id, ...pushTarget }),
  GetTaskPushNotificationConfig: given({ "taskId!": id, id: text() }),
  ListTaskPushNotificationConfigs: given({ "taskId!": id }),
  DeleteTaskPushNotificationConfig: given({ "taskId!": id, "id!": id }),
  GetExtendedAgentCard: object(),
} satisfies Record<Operation, Schema>;
