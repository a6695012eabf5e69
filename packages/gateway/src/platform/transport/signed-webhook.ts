import { createHmac } from "node:crypto";

/** Milliseconds between tries: a few soon, then rarer, for about a day. */
export const WEBHOOK_PAUSES = [2, 10, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 28_800].map(
  (seconds) => seconds * 1000,
);

/**
 * The secret with which a tenant checks its webhooks, in the form that Standard Webhooks libraries take. Tenants have
 * their own, so that none can forge another's events.
 */
export function webhookSecretOf(secret: string, tenant: string): string {
  return `whsec_${createHmac("sha256", secret).update(`webhooks of ${tenant}`).digest("base64")}`;
}

/**
 * The headers of a signed webhook (Standard Webhooks, version 1).
 * @param secret with `whsec_` and base64, or any other text
 * @param id of the event, the same in each try
 * @param timestamp seconds since the epoch
 */
export function webhookHeaders(
  secret: string,
  id: string,
  timestamp: number,
  body: string,
): Record<string, string> {
  const [, base64] = /^whsec_(.+)$/.exec(secret) ?? [];
  const key = base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
