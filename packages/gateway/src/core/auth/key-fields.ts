import { z } from "zod";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseDuration } from "../../util/duration.ts";
import type { KeyRow } from "./keys-table.ts";
import { refuseUnenforced } from "./unenforced-limits.ts";

const count = z.int().min(0).nullish();
const text = z.string().min(1).max(256).nullish();
const length = z
  .string()
  .refine(
    (value) => parseDuration(value) !== undefined,
    "expected a length of time such as 30s, 12h, 30d or 1mo",
  );
const map = z.record(z.string(), z.unknown());

/** What a key can be given, in LiteLLM's words. `null` takes a limit away. */
export const keyFields = z.looseObject({
  key_alias: text,
  duration: length.nullish(),
  models: z.array(z.string()).nullish(),
  max_budget: z.number().min(0).nullish(),
  budget_duration: length.nullish(),
  rpm_limit: count,
  tpm_limit: count,
  max_parallel_requests: count,
  user_id: text,
  user_role: z
    .enum(["proxy_admin", "proxy_admin_viewer", "internal_user", "internal_user_viewer", "team", "customer"])
    .nullish(),
  team_id: text,
  metadata: map.nullish(),
  team_metadata: map.nullish(),
  allowed_model_region: text,
  blocked: z.boolean().nullish(),
  tags: z.array(z.string()).nullish(),
});

type KeyFields = z.infer<typeof keyFields>;

/**
 * The columns that a request sets; fields that it does not name are left out.
 * @param stored the key's metadata so far
 * @throws GatewayError 400 naming the field, also an unknown one and a restriction that would not be enforced
 */
export function readKeyFields(body: JsonObject, now: number, stored: JsonObject = {}): Partial<KeyRow> {
  refuseUnenforced(body, Object.keys(keyFields.shape));
  const parsed = keyFields.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const param = issue.path.join(".");
    throw invalidRequest(`${param}: ${issue.message}`, param);
  }
  const fields = parsed.data;
  const columns: Partial<KeyRow> = {};
  for (const name of plainColumns) if (fields[name] !== undefined) columns[name] = fields[name] as never;
  if (fields.duration !== undefined)
    columns.expires_at = fields.duration === null ? null : now + parseDuration(fields.duration)!;
  if (fields.user_role != null) columns.user_role = fields.user_role;
  if (fields.models !== undefined) columns.models = JSON.stringify(fields.models ?? []);
  const { tags, metadata = tags == null ? undefined : stored } = fields;
  if (metadata !== undefined)
    columns.metadata = JSON.stringify({ ...metadata, ...(tags == null ? {} : { tags }) });
  if (fields.team_metadata !== undefined) columns.team_metadata = JSON.stringify(fields.team_metadata ?? {});
  if (fields.blocked != null) columns.blocked = fields.blocked ? 1 : 0;
  return columns;
}

/** Fields that are columns as they are. */
const plainColumns = [
  "key_alias",
  "max_budget",
  "budget_duration",
  "rpm_limit",
  "tpm_limit",
  "max_parallel_requests",
  "user_id",
  "team_id",
  "allowed_model_region",
] as const satisfies readonly (keyof KeyRow & keyof KeyFields)[];
