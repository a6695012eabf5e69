import { isJsonObject, type JsonObject } from "../contract/json.ts";

/** A batch's progress in one line of so many columns: a bar, the counts and the status. */
export function progressLine(batch: JsonObject, columns: number): string {
  const counts = isJsonObject(batch.request_counts) ? batch.request_counts : {};
  const [total, completed, failed] = [counts.total, counts.completed, counts.failed].map(Number);
  const done = (completed ?? 0) + (failed ?? 0);
  const part = total === undefined || total === 0 ? 0 : done / total;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const words = ` ${String(Math.floor(part * 100)).padStart(3)} %  ${done}/${total}${failures}  ${batch.status}`;
  const width = Math.max(10, Math.min(40, columns - words.length - 3));
  const filled = Math.round(part * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}]${words}`;
}
