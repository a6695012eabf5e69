import type { Artifact, StreamEvent, Task } from "./a2a-types.ts";

/** The task after an event. A new status moves the message of the old one into the history (A2A 1.0, section 3.7). */
export function applyEvent(task: Task, event: StreamEvent): Task {
  if ("task" in event) return event.task;
  if ("message" in event) return { ...task, history: [...(task.history ?? []), event.message] };
  if ("statusUpdate" in event) {
    const before = task.status.message;
    const history = before === undefined ? task.history : [...(task.history ?? []), before];
    return { ...task, status: event.statusUpdate.status, ...(history === undefined ? {} : { history }) };
  }
  const { artifact, append } = event.artifactUpdate;
  return { ...task, artifacts: withArtifact(task.artifacts ?? [], artifact, append === true) };
}

function withArtifact(artifacts: readonly Artifact[], next: Artifact, append: boolean): Artifact[] {
  const index = artifacts.findIndex(({ artifactId }) => artifactId === next.artifactId);
  if (index === -1) return [...artifacts, next];
  const known = artifacts[index]!;
  return artifacts.with(index, append ? { ...known, parts: joined(known, next) } : next);
}

/** Text that arrives in pieces is one part in the end. */
function joined(known: Artifact, next: Artifact): Artifact["parts"] {
  const parts = [...known.parts];
  for (const part of next.parts) {
    const last = parts.at(-1);
    if (last?.text !== undefined && part.text !== undefined && part.metadata === undefined)
      parts[parts.length - 1] = { ...last, text: last.text + part.text };
    else parts.push(part);
  }
  return parts;
}

/** The task with only the last messages of its history; `undefined` leaves all of them. */
export function trimHistory(task: Task, length: number | undefined): Task {
  if (length === undefined || task.history === undefined || task.history.length <= length) return task;
  const { history, ...rest } = task;
  return length === 0 ? rest : { ...rest, history: history.slice(-length) };
}
