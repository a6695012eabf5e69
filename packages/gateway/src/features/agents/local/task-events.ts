import type { Message, Part, StreamEvent, Task, TaskState } from "../protocol/a2a-types.ts";
import { freshId } from "../tasks/task-log.ts";
import type { ToolCall } from "./chat-answer.ts";

type TaskIds = Pick<Task, "id" | "contextId">;

/** A change of a task's status, now. */
export function statusEvent(
  { id, contextId }: TaskIds,
  state: TaskState,
  parts: readonly Part[] = [],
): StreamEvent {
  const message: Message | undefined =
    parts.length === 0
      ? undefined
      : { messageId: freshId("msg_"), role: "ROLE_AGENT", parts, contextId, taskId: id };
  const timestamp = new Date().toISOString();
  const status = { state, ...(message === undefined ? {} : { message }), timestamp };
  return { statusUpdate: { taskId: id, contextId, status } };
}

/** A piece of the answer; the first one of a run puts the artifact in the place of an earlier attempt's. */
export function answerEvent(
  { id, contextId }: TaskIds,
  artifactId: string,
  text: string,
  place: { readonly append: boolean; readonly lastChunk: boolean },
): StreamEvent {
  const artifact = { artifactId, name: "response", parts: [{ text }] };
  return { artifactUpdate: { taskId: id, contextId, artifact, ...place } };
}

/** What the caller has to do for the model: each call as data, to be answered by data with its id and a result. */
export function toolCallParts(calls: readonly ToolCall[]): Part[] {
  return calls.map(({ id, function: { name, arguments: text } }) => ({
    data: { tool_call_id: id, name, arguments: parsed(text) },
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
