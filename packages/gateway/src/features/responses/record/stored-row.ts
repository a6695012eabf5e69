import { asText, type JsonObject } from "../../../contract/json.ts";
import type { GatewayConfig } from "../../../platform/config/gateway-config.ts";
import type { IssuedId } from "./issued-ids.ts";
import type { ResponseRow } from "./table.ts";

/** States in which a response does not change any more. */
export const endStates = ["completed", "incomplete", "failed", "cancelled"] as const;

export function hasEnded(status: unknown): boolean {
  return endStates.some((state) => state === status);
}

/** Events that end a stream. */
export const endEvents: ReadonlySet<unknown> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "error",
]);

/** Milliseconds for which a writer counts as alive after its last sign; it gives one three times as often. */
export const ALIVE_MS = 6000;

/** What a new row says beside its answer. */
export interface RowMembers {
  readonly tenant: string;
  readonly issued: IssuedId;
  readonly previousId: string | undefined;
  readonly conversationId: string | undefined;
  /** Milliseconds; absent keeps it until it is deleted. */
  readonly retention: number | undefined;
}

/** A response as a row. Its output is kept as items. */
export function storedRow(members: RowMembers, response: JsonObject): ResponseRow {
  const { tenant, issued, previousId, conversationId, retention } = members;
  const now = Date.now();
  return {
    id: issued.id,
    tenant,
    previous_id: previousId ?? null,
    conversation_id: conversationId ?? null,
    deployment_id: issued.deploymentId ?? null,
    provider_id: issued.providerId ?? null,
    provider: issued.provider ?? null,
    status: asText(response.status),
    created_at: now,
    expires_at: retention === undefined ? null : now + retention,
    alive_until: null,
    answer: answerText(response),
    job: null,
  };
}

/** A response object as `answer` holds it. */
export function answerText(response: JsonObject): string {
  const { output: _, ...answer } = response;
  return JSON.stringify(answer);
}

/** The response object of a row. */
export function responseOfRow(row: ResponseRow, output: readonly JsonObject[]): JsonObject {
  return { ...(JSON.parse(row.answer) as JsonObject), output };
}

/** The output of a response object as items. */
export function outputOf(response: JsonObject): JsonObject[] {
  return Array.isArray(response.output) ? (response.output as JsonObject[]) : [];
}

/** Milliseconds for which responses are kept; absent: until they are deleted. */
export function retentionMs({ generalSettings }: GatewayConfig): number | undefined {
  const days = generalSettings.responsesRetentionDays;
  return days === 0 ? undefined : days * 86_400_000;
}
