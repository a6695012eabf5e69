import { isJsonObject } from "../../../contract/json.ts";
import { A2AError } from "../protocol/a2a-error.ts";
import type { StreamEvent, Task } from "../protocol/a2a-types.ts";
import { fromLegacyEvent, fromLegacyTask } from "../protocol/legacy/legacy-task.ts";
import { readState } from "../protocol/task-state.ts";
import type { RemoteAnswer } from "./remote-client.ts";

const members = ["task", "message", "statusUpdate", "artifactUpdate"] as const;

/** A remote agent's event, or its answer to a message. @throws A2AError -32006 */
export function readEvent({ version, result }: RemoteAnswer): StreamEvent {
  if (version === "0.3") return checked(fromLegacyEvent(result));
  if (isJsonObject(result) && members.some((member) => isJsonObject(result[member])))
    return checked(result as unknown as StreamEvent);
  throw unreadable();
}

/** A remote agent's task. @throws A2AError -32006 */
export function readTask({ version, result }: RemoteAnswer): Task {
  if (!isJsonObject(result)) throw unreadable();
  const task = version === "0.3" ? fromLegacyTask(result) : (result as unknown as Task);
  return checkedTask(task);
}

/** What the gateway itself relies on; the rest passes as it is. */
function checked(event: StreamEvent): StreamEvent {
  if ("task" in event) return { task: checkedTask(event.task) };
  if ("message" in event) {
    if (!Array.isArray(event.message.parts)) throw unreadable();
    return event;
  }
  const update = "statusUpdate" in event ? event.statusUpdate : event.artifactUpdate;
  if (typeof update.taskId !== "string" || typeof update.contextId !== "string") throw unreadable();
  if ("statusUpdate" in event && !isJsonObject(event.statusUpdate.status)) throw unreadable();
  if ("artifactUpdate" in event && !Array.isArray(event.artifactUpdate.artifact?.parts)) throw unreadable();
  return event;
}

function checkedTask(task: Task): Task {
  if (typeof task.id !== "string" || typeof task.contextId !== "string" || !isJsonObject(task.status))
    throw unreadable();
  return { ...task, status: { ...task.status, state: readState(task.status.state) } };
}

function unreadable(): A2AError {
  return new A2AError("invalidAgentResponse", "The agent's answer does not follow the A2A protocol");
}
