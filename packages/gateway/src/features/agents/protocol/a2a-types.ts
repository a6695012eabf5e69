import type { JsonObject } from "../../../contract/json.ts";

/**
 * The A2A protocol's objects in the JSON of version 1.0, which is what the gateway works with inside; version 0.3 is
 * translated at the edge. Source: the A2A specification 1.0, section 4 (protocol data model).
 */
export type TaskState =
  | "TASK_STATE_UNSPECIFIED"
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_REJECTED"
  | "TASK_STATE_AUTH_REQUIRED";

/** One piece of content: exactly one of `text`, `raw` (base64), `url` and `data` is there. */
export interface Part {
  readonly text?: string;
  readonly raw?: string;
  readonly url?: string;
  readonly data?: unknown;
  readonly filename?: string;
  readonly mediaType?: string;
  readonly metadata?: JsonObject;
}

export interface Message {
  readonly messageId: string;
  readonly role: "ROLE_USER" | "ROLE_AGENT";
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  /** ISO 8601 in UTC. */
  readonly timestamp?: string;
}

export interface Artifact {
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly metadata?: JsonObject;
}

export interface StatusUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

export interface ArtifactUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  /** The parts go behind those of the artifact with the same id; otherwise they replace it. */
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** What a stream carries, and what `SendMessage` answers with (its first two members). */
export type StreamEvent =
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly statusUpdate: StatusUpdate }
  | { readonly artifactUpdate: ArtifactUpdate };

export type SendResult = { readonly task: Task } | { readonly message: Message };

/** Where a task's changes are posted. */
export interface PushConfig {
  readonly taskId: string;
  readonly id: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

export interface SendConfiguration {
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  readonly returnImmediately?: boolean;
  readonly taskPushNotificationConfig?: Omit<PushConfig, "taskId" | "id"> & { readonly id?: string };
}

/** Parameters of `SendMessage` and `SendStreamingMessage`. */
export interface SendParams {
  readonly message: Message;
  readonly configuration?: SendConfiguration;
  readonly metadata?: JsonObject;
}

export type ProtocolVersion = "0.3" | "1.0";
