import { isJsonObject, type JsonObject } from "../../../../contract/json.ts";
import { A2AError } from "../a2a-error.ts";
import type { Artifact, Message, StreamEvent, Task, TaskStatus } from "../a2a-types.ts";
import { isCoolingDown, legacyState, readState } from "../task-state.ts";
import { fromLegacyMessage, fromLegacyPart, toLegacyMessage, toLegacyPart } from "./legacy-message.ts";

/** A task as version 0.3 has it. */
export function toLegacyTask(task: Task): JsonObject {
  const { status, artifacts, history, ...rest } = task;
  return {
    kind: "task",
    ...rest,
    status: toLegacyStatus(status),
    ...(artifacts === undefined ? {} : { artifacts: artifacts.map(toLegacyArtifact) }),
    ...(history === undefined ? {} : { history: history.map(toLegacyMessage) }),
  };
}

/** An event, or the answer to a message, as version 0.3 has it. */
export function toLegacyEvent(event: StreamEvent): JsonObject {
  if ("task" in event) return toLegacyTask(event.task);
  if ("message" in event) return toLegacyMessage(event.message);
  if ("statusUpdate" in event) {
    const { status, ...rest } = event.statusUpdate;
    // 0.3 says which update ends the stream; in 1.0 the state itself does.
    return {
      kind: "status-update",
      ...rest,
      status: toLegacyStatus(status),
      final: isCoolingDown(status.state),
    };
  }
  const { artifact, ...rest } = event.artifactUpdate;
  return { kind: "artifact-update", ...rest, artifact: toLegacyArtifact(artifact) };
}

function toLegacyStatus({ state, message, ...rest }: TaskStatus): JsonObject {
  return {
    ...rest,
    state: legacyState(state),
    ...(message === undefined ? {} : { message: toLegacyMessage(message) }),
  };
}

function toLegacyArtifact({ parts, ...rest }: Artifact): JsonObject {
  return { ...rest, parts: parts.map(toLegacyPart) };
}

/**
 * An answer or event of an agent that speaks 0.3, in the shape of 1.0.
 * @throws A2AError -32006 for what is none
 */
export function fromLegacyEvent(value: unknown): StreamEvent {
  try {
    if (isJsonObject(value)) {
      const { kind } = value;
      if (kind === "task" || (kind === undefined && isJsonObject(value.status)))
        return { task: fromLegacyTask(value) };
      if (kind === "message" || (kind === undefined && Array.isArray(value.parts)))
        return { message: fromLegacyMessage(value, "message") as unknown as Message };
      const { kind: _, final: __, ...rest } = value;
      if (kind === "status-update")
        return { statusUpdate: { ...rest, status: fromLegacyStatus(value.status) } as never };
      if (kind === "artifact-update")
        return { artifactUpdate: { ...rest, artifact: fromLegacyArtifact(value.artifact) } as never };
    }
  } catch (error) {
    throw unreadable(error);
  }
  throw unreadable(undefined);
}

/** A task of an agent that speaks 0.3, in the shape of 1.0. */
export function fromLegacyTask(value: JsonObject): Task {
  const { kind: _, status, artifacts, history, ...rest } = value;
  return {
    ...(rest as unknown as Task),
    status: fromLegacyStatus(status),
    ...(Array.isArray(artifacts) ? { artifacts: artifacts.map(fromLegacyArtifact) } : {}),
    ...(Array.isArray(history)
      ? { history: history.map((message) => fromLegacyMessage(message, "history") as unknown as Message) }
      : {}),
  };
}

function fromLegacyStatus(value: unknown): TaskStatus {
  if (!isJsonObject(value)) throw unreadable(undefined);
  const { state, message, ...rest } = value;
  return {
    ...rest,
    state: readState(state),
    ...(isJsonObject(message)
      ? { message: fromLegacyMessage(message, "status.message") as unknown as Message }
      : {}),
  };
}

function fromLegacyArtifact(value: unknown): Artifact {
  if (!isJsonObject(value) || !Array.isArray(value.parts)) throw unreadable(undefined);
  const parts = value.parts.map((part, index) => fromLegacyPart(part, `artifact.parts[${index}]`));
  return { ...(value as unknown as Artifact), parts };
}

function unreadable(cause: unknown): A2AError {
  return new A2AError("invalidAgentResponse", "The agent's answer does not follow the A2A protocol", {
    cause,
  });
}
