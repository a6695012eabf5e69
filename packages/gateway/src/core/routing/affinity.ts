import type { IncomingHttpHeaders } from "node:http";
import type { Target } from "../../contract/deployment.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import { sessionNamed } from "../../contract/naming-request.ts";

/** What a call has in common with those whose prompt the provider may still have in its cache. */
export interface Affinity {
  /** Where that was seen; callers read it in a header. */
  readonly by: "prompt_cache_key" | "session" | "conversation" | "prefix";
  readonly key: string;
}

/** Characters of a name that count. */
const MAX_NAME = 512;
/** Bytes from which a request is worth a look: providers cache no prompt of fewer than 1024 tokens. */
const MIN_PREFIX_BYTES = 4096;
/** Characters of a text's beginning and of its end. */
const SAMPLE = 1024;
/** Parts of a message that count. */
const MAX_PARTS = 8;

/**
 * By what a call is led to the deployment that has its prompt in the cache: the names that the caller gives, else how a
 * long conversation begins, up to the user's first message, which agents send again at every turn. The cost does not
 * grow with the request: a few kilobytes are looked at.
 * @param bytes of the request
 */
export function affinityOf(
  headers: IncomingHttpHeaders,
  body: JsonObject,
  bytes: number,
): Affinity | undefined {
  const cacheKey = nameIn(body.prompt_cache_key);
  if (cacheKey !== undefined) return { by: "prompt_cache_key", key: cacheKey };
  const session = sessionNamed({ headers, body });
  if (session !== undefined) return { by: "session", key: session };
  const conversation = nameIn(body.conversation) ?? nameIn(objectOf(body.conversation).id);
  if (conversation !== undefined) return { by: "conversation", key: conversation };
  if (bytes < MIN_PREFIX_BYTES) return undefined;
  const beginning = beginningOf(body);
  return beginning === "" ? undefined : { by: "prefix", key: beginning };
}

/**
 * Deployments by rendezvous hashing: each key has an order of its own, the same on every replica, in which one that is
 * away changes nothing for the others. Shares follow `weight`, `rpm` or `tpm` as those of the shuffle do.
 */
export function byAffinity(targets: readonly Target[], key: string): Target[] {
  const figure = figures.find((read) => targets.some(({ deployment }) => read(deployment) !== undefined));
  const known = figure === undefined ? [] : targets.map(({ deployment }) => figure(deployment) ?? Infinity);
  const least = Math.min(...known);
  const hashed = hash(2_166_136_261, key);
  return targets
    .map((target) => {
      const weight = figure?.(target.deployment) ?? (figure === undefined ? 1 : least);
      const drawn = (mixed(hash(hashed, target.deployment.id)) + 0.5) / 2 ** 32;
      return { target, score: weight / -Math.log(drawn) };
    })
    .sort((one, other) => other.score - one.score)
    .map(({ target }) => target);
}

const figures: readonly ((deployment: Target["deployment"]) => number | undefined)[] = [
  ({ weight }) => weight,
  ({ rpm }) => rpm,
  ({ tpm }) => tpm,
];

/** FNV-1a. */
function hash(seed: number, text: string): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
  return value >>> 0;
}

/** MurmurHash3's last step: FNV alone leaves keys that differ in their last characters close together. */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function nameIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_NAME) : undefined;
}

/** Samples of the instructions and of the user's first message, in any of the formats; empty where nobody speaks. */
function beginningOf(body: JsonObject): string {
  const told = body.system ?? body.instructions ?? objectOf(body.systemInstruction).parts;
  const { input } = body;
  if (typeof input === "string") return `${sampled(told)}\n${sampled(input)}`;
  const messages = [body.messages, input, body.contents].find(Array.isArray) as unknown[] | undefined;
  const first = messages?.findIndex((item) => isJsonObject(item) && item.role === "user") ?? -1;
  if (first < 0) return "";
  const opening = messages!.slice(Math.max(0, first - 1), first + 1).filter(isJsonObject);
  return [sampled(told), ...opening.map(({ content, parts }) => sampled(content ?? parts))].join("\n");
}

function sampled(content: unknown): string {
  if (typeof content === "string") {
    if (content.length <= 2 * SAMPLE) return content;
    return `${content.slice(0, SAMPLE)}${content.length}${content.slice(-SAMPLE)}`;
  }
  if (!Array.isArray(content)) return "";
  return content
    .slice(0, MAX_PARTS)
    .map((part: unknown) => sampledPart(part))
    .join("\n");
}

function sampledPart(part: unknown): string {
  const text = isJsonObject(part) ? part.text : part;
  return typeof text === "string" ? sampled(text) : "";
}
