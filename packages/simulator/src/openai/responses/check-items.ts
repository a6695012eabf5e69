import { type JsonObject, stringOf } from "../../util/json.ts";
import { signatureOf } from "../../util/signature.ts";
import { invalidRequest, notFound } from "../failures.ts";

/** Encrypted reasoning or a compaction that only simulators issue. */
export function encryptContent(purpose: "reasoning" | "compaction", text: string): string {
  const hidden = Buffer.from(text).toString("base64url");
  return `${hidden}.${signatureOf(purpose, hidden)}`;
}

/**
 * Checks that every call in the items is answered, every answer has its call, and reasoning comes from here.
 * @param isKept whether an item is stored, to which reasoning may then refer by id alone
 */
export function checkItems(items: readonly JsonObject[], isKept: (id: string) => boolean): void {
  const called = callIds(items, ["function_call", "custom_tool_call"]);
  const answered = callIds(items, ["function_call_output", "custom_tool_call_output"]);
  for (const id of answered) {
    if (!called.has(id)) {
      throw invalidRequest(`No tool call found for function call output with call_id ${id}.`, "input");
    }
  }
  for (const id of called) {
    if (!answered.has(id)) throw invalidRequest(`No tool output found for function call ${id}.`, "input");
  }
  for (const item of items) {
    if (item.type === "reasoning") checkReasoning(item, isKept);
    if (item.type === "compaction")
      checkEncrypted(item, "compaction", stringOf(item.encrypted_content) ?? "");
  }
}

function callIds(items: readonly JsonObject[], types: readonly unknown[]): Set<string> {
  return new Set(
    items.filter(({ type }) => types.includes(type)).map((item) => stringOf(item.call_id) ?? ""),
  );
}

function checkReasoning(item: JsonObject, isKept: (id: string) => boolean): void {
  const encrypted = stringOf(item.encrypted_content);
  const id = stringOf(item.id) ?? "";
  if (encrypted !== undefined) {
    checkEncrypted(item, "reasoning", encrypted);
    return;
  }
  if (!isKept(id)) {
    throw notFound(
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      "input",
    );
  }
}

function checkEncrypted({ id }: JsonObject, purpose: string, encrypted: string): void {
  const [hidden = "", signature] = encrypted.split(".");
  if (signature === signatureOf(purpose, hidden)) return;
  const message = `The encrypted content for item ${stringOf(id) ?? ""} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  throw invalidRequest(message, null, "invalid_encrypted_content");
}
