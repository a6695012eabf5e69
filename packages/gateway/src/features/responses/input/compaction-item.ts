import { randomBytes } from "node:crypto";
import { GatewayError, invalidRequest } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { TenantSeal } from "../../../core/objects/tenant-seal.ts";

const MARK = "portico-compaction:";

/** A summary as an item that its tenant sends back in place of the conversation, and that only this gateway reads. */
export function compactionItem(seal: TenantSeal, tenant: string, summary: string): JsonObject {
  return {
    id: `cmp_${randomBytes(24).toString("hex")}`,
    type: "compaction",
    encrypted_content: MARK + seal.seal(tenant, summary),
  };
}

/**
 * An item of an input with the summary in it as text, if it is one of ours. Other items are as they were.
 * @throws GatewayError 400 for one that was changed or belongs to another tenant
 */
export function openedItem(seal: TenantSeal, tenant: string, item: JsonObject): JsonObject {
  const { encrypted_content: content } = item;
  if (item.type !== "compaction" || typeof content !== "string" || !content.startsWith(MARK)) return item;
  const summary = seal.open(tenant, content.slice(MARK.length));
  if (summary === undefined) {
    const { status, type } = invalidRequest("");
    const text = `The encrypted content for item ${String(item.id)} could not be verified: it was changed, or made for somebody else.`;
    throw new GatewayError(status, type, text, {
      param: "input",
      providerCode: "invalid_encrypted_content",
    });
  }
  const text = `The conversation before this point was summed up as follows:\n\n${summary}`;
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
