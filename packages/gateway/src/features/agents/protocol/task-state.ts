import type { TaskState } from "./a2a-types.ts";

/** The states as version 0.3 spells them. */
const legacyNames: Readonly<Record<TaskState, string>> = {
  TASK_STATE_UNSPECIFIED: "unknown",
  TASK_STATE_SUBMITTED: "submitted",
  TASK_STATE_WORKING: "working",
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "canceled",
  TASK_STATE_INPUT_REQUIRED: "input-required",
  TASK_STATE_REJECTED: "rejected",
  TASK_STATE_AUTH_REQUIRED: "auth-required",
};

const fromLegacy = new Map(Object.entries(legacyNames).map(([state, name]) => [name, state as TaskState]));

const terminal: ReadonlySet<TaskState> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);
const interrupted: ReadonlySet<TaskState> = new Set([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

/** Every state by its name in version 1.0. */
export const taskStates = Object.keys(legacyNames) as readonly TaskState[];

export function legacyState(state: TaskState): string {
  return legacyNames[state];
}

/** A state of version 0.3 or 1.0; what is neither counts as unspecified. */
export function readState(value: unknown): TaskState {
  const state = taskStates.find((name) => name === value);
  return state ?? fromLegacy.get(String(value)) ?? "TASK_STATE_UNSPECIFIED";
}

/** The task is over for good. */
export function isTerminal(state: TaskState): boolean {
  return terminal.has(state);
}

/** Nothing more happens until the caller does something, if ever. */
export function isCoolingDown(state: TaskState): boolean {
  return terminal.has(state) || interrupted.has(state);
}
