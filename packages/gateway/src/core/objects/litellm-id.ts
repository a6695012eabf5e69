import type { ObjectKind } from "./object-kind.ts";

/** What an id issued by LiteLLM says. */
export interface LiteLlmReference {
  readonly kind: ObjectKind;
  /** The object's id at the provider; absent in a unified file id, which has one per model. */
  readonly providerId: string | undefined;
  /** Deployment (`model_id`), where the id names one. */
  readonly deploymentId: string | undefined;
  readonly provider: string | undefined;
  /** The models of a unified file id, or the one model embedded in a file or batch id. */
  readonly targetModels: readonly string[];
}

/** A unified id is base64url without prefix; longer ones than this are not LiteLLM's. */
const MAX_LENGTH = 4096;

/** Kinds by the field that carries the provider's id in `litellm:custom_llm_provider:…;model_id:…;<field>:…`. */
const embeddedFields: readonly (readonly [string, string, ObjectKind])[] = [
  ["video_", "video_id", "video"],
  ["resp_", "response_id", "response"],
  ["cntr_", "container_id", "container"],
];

/**
 * Reads the ids that LiteLLM hands out, so that those a client still holds keep working.
 * Encodings: LiteLLM `types/utils.py` and `proxy/hooks/managed_files.py` (unified file and batch),
 * `openai_files_endpoints/common_utils.py` (model in file or batch id), `types/videos/utils.py`,
 * `responses/utils.py` (response, container). `undefined` for anything else.
 */
export function readLiteLlmId(id: string): LiteLlmReference | undefined {
  if (id.length > MAX_LENGTH) return undefined;
  return readUnified(id) ?? readModelEmbedded(id) ?? readProviderEmbedded(id);
}

/** Whether an id is written as LiteLLM writes them, also where it then says nothing that makes sense. */
export function looksLikeLiteLlmId(id: string): boolean {
  if (id.length > MAX_LENGTH) return false;
  const behindPrefix = id.slice(id.search(/[-_]/) + 1);
  return [id, behindPrefix].some((text) => decode(text)?.startsWith("litellm") === true);
}

/** `litellm_proxy:<mime>;unified_id,<uuid>;target_model_names,<a,b>;…` or `litellm_proxy;model_id:<d>;llm_batch_id:<id>`. */
function readUnified(id: string): LiteLlmReference | undefined {
  const text = decode(id);
  if (text === undefined || !text.startsWith("litellm_proxy")) return undefined;
  const batchId = /;llm_batch_id:([^;]+)/.exec(text)?.[1];
  if (batchId !== undefined) {
    const deploymentId = /;model_id:([^;]+)/.exec(text)?.[1];
    return { kind: "batch", providerId: batchId, deploymentId, provider: undefined, targetModels: [] };
  }
  if (!text.includes("unified_id,")) return undefined;
  const names = /;target_model_names,([^;]*)/.exec(text)?.[1] ?? "";
  return {
    kind: "file",
    providerId: /;llm_output_file_id,([^;]+)/.exec(text)?.[1],
    deploymentId: /;llm_output_file_model_id,([^;]+)/.exec(text)?.[1],
    provider: undefined,
    targetModels: names.split(",").filter((name) => name !== ""),
  };
}

/** `file-` or `batch_` + base64url of `litellm:<id>;model,<name>`. */
function readModelEmbedded(id: string): LiteLlmReference | undefined {
  const kind = id.startsWith("file-") ? "file" : id.startsWith("batch_") ? "batch" : undefined;
  if (kind === undefined) return undefined;
  const match = /^litellm:([^;]+);model,(.+)$/.exec(decode(id.slice(kind === "file" ? 5 : 6)) ?? "");
  if (match === null) return undefined;
  return {
    kind,
    providerId: match[1],
    deploymentId: undefined,
    provider: undefined,
    targetModels: [match[2]!],
  };
}

/** `video_`, `resp_` or `cntr_` + base64 of `litellm:custom_llm_provider:<p>;model_id:<m>;<field>:<id>`. */
function readProviderEmbedded(id: string): LiteLlmReference | undefined {
  const form = embeddedFields.find(([prefix]) => id.startsWith(prefix));
  if (form === undefined) return undefined;
  const [prefix, field, kind] = form;
  const match = new RegExp(`^litellm:custom_llm_provider:([^;]*);model_id:([^;]*);${field}:(.+)$`).exec(
    decode(id.slice(prefix.length)) ?? "",
  );
  if (match === null) return undefined;
  return {
    kind,
    providerId: match[3],
    deploymentId: match[2] || undefined,
    provider: match[1] || undefined,
    targetModels: [],
  };
}

/** Base64 in either alphabet, padded or not, as printable text; `undefined` for anything else. */
function decode(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : undefined;
}
