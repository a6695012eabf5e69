import {
  createCipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import { type ObjectKind, objectKinds } from "./object-kind.ts";

/** What an id of ours says once it is opened. */
export interface ObjectReference {
  readonly kind: ObjectKind;
  /** First bytes of a hash of the tenant; compare with `tagOf(tenant)`. */
  readonly tenantTag: string;
  /** First bytes of a hash of the deployment id (or of the provider's name for direct calls). */
  readonly deploymentTag: string;
  /** The object's id at the provider. */
  readonly providerId: string;
}

const TENANT_BYTES = 5;
const DEPLOYMENT_BYTES = 4;
const MAC_BYTES = 8;

/** A short name for a tenant or deployment inside ids: hex digits of its hash. */
export function tenantTag(tenant: string): string {
  return tag(tenant, TENANT_BYTES);
}

/** As `tenantTag`, for the deployment that made the object. */
export function deploymentTag(deployment: string): string {
  return tag(deployment, DEPLOYMENT_BYTES);
}

/**
 * Makes and opens the ids that the gateway hands out.
 *
 * An id is `prefix` + base64url(mac ‖ encrypted(tenant ‖ deployment ‖ provider id)): the MAC over kind and plain
 * text is also the cipher's nonce (the SIV construction of RFC 5297 in small), so the same object always has the
 * same id on every replica with the same secret, nobody can read or forge one, and no look-up is needed.
 * Ids of providers whose own are a known prefix and 48 hex digits come to 62 characters or fewer.
 */
export class ObjectIdCodec {
  readonly #macKey: KeyObject;
  readonly #cipherKey: KeyObject;

  /** @param secret shared by all replicas; ids made under another one do not open. */
  constructor(secret: string) {
    this.#macKey = keyOf(secret, "portico object id mac");
    this.#cipherKey = keyOf(secret, "portico object id cipher");
  }

  /** How long an id is that `mint` makes. */
  mintedLength(kind: ObjectKind, providerId: string): number {
    const bytes = MAC_BYTES + TENANT_BYTES + DEPLOYMENT_BYTES + packProviderId(providerId).length;
    return objectKinds[kind].prefix.length + Math.ceil((bytes * 4) / 3);
  }

  /** The id for an object at a provider, bound to its tenant and the deployment that made it. */
  mint(kind: ObjectKind, tenant: string, deployment: string, providerId: string): string {
    const plain = Buffer.concat([
      Buffer.from(tenantTag(tenant), "hex"),
      Buffer.from(deploymentTag(deployment), "hex"),
      packProviderId(providerId),
    ]);
    const mac = this.#mac(kind, plain);
    return objectKinds[kind].prefix + Buffer.concat([mac, this.#crypt(mac, plain)]).toString("base64url");
  }

  /**
   * An id of at most 64 characters for an object whose own id is too long to be carried. It is the same each time,
   * but says nothing: only a store that remembers it leads back.
   */
  digest(kind: ObjectKind, tenant: string, deployment: string, providerId: string): string {
    const text = JSON.stringify([kind, tenant, deployment, providerId]);
    const mac = createHmac("sha256", this.#macKey).update("digest").update(text).digest();
    return objectKinds[kind].prefix + mac.subarray(0, 30).toString("base64url");
  }

  /** What the id says; `undefined` for anything that this codec did not make. */
  open(id: string): ObjectReference | undefined {
    const kind = (Object.keys(objectKinds) as ObjectKind[]).find((name) =>
      id.startsWith(objectKinds[name].prefix),
    );
    if (kind === undefined) return undefined;
    const text = id.slice(objectKinds[kind].prefix.length);
    const bytes = Buffer.from(text, "base64url");
    if (bytes.toString("base64url") !== text) return undefined;
    if (bytes.length <= MAC_BYTES + TENANT_BYTES + DEPLOYMENT_BYTES) return undefined;
    const mac = bytes.subarray(0, MAC_BYTES);
    const plain = this.#crypt(mac, bytes.subarray(MAC_BYTES));
    if (!timingSafeEqual(mac, this.#mac(kind, plain))) return undefined;
    const providerId = unpackProviderId(plain.subarray(TENANT_BYTES + DEPLOYMENT_BYTES));
    if (providerId === undefined) return undefined;
    return {
      kind,
      tenantTag: plain.toString("hex", 0, TENANT_BYTES),
      deploymentTag: plain.toString("hex", TENANT_BYTES, TENANT_BYTES + DEPLOYMENT_BYTES),
      providerId,
    };
  }

  #mac(kind: ObjectKind, plain: Buffer): Buffer {
    return createHmac("sha256", this.#macKey)
      .update(objectKinds[kind].prefix)
      .update(plain)
      .digest()
      .subarray(0, MAC_BYTES);
  }

  /** Counter mode is its own inverse. */
  #crypt(mac: Buffer, bytes: Buffer): Buffer {
    const nonce = Buffer.alloc(16);
    mac.copy(nonce);
    return createCipheriv("aes-256-ctr", this.#cipherKey, nonce).update(bytes);
  }
}

function keyOf(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)));
}

function tag(name: string, bytes: number): string {
  return hash("sha256", name).slice(0, bytes * 2);
}

/**
 * Provider ids as few bytes: most are a known prefix and hex digits, two of which fit a byte.
 * `resp_` + 48 hex digits take 25 bytes instead of 53, which is what keeps our ids within 64 characters.
 */
const prefixes = [
  "",
  "file-",
  "batch_",
  "resp_",
  "cntr_",
  "cfile_",
  "video_",
  "conv_",
  "msgbatch_",
  "file_",
] as const;
const HEX = 0x80;

/** First byte: index of the prefix, high bit for hex; then the rest of the id. */
function packProviderId(id: string): Buffer {
  let index = 0;
  for (let i = 1; i < prefixes.length; i++) if (id.startsWith(prefixes[i]!)) index = i;
  const rest = id.slice(prefixes[index]!.length);
  const isHex = rest.length % 2 === 0 && /^[0-9a-f]+$/.test(rest);
  return Buffer.concat([Buffer.of(index | (isHex ? HEX : 0)), Buffer.from(rest, isHex ? "hex" : "utf8")]);
}

/** The inverse; `undefined` for bytes that `packProviderId` never made. */
function unpackProviderId(packed: Buffer): string | undefined {
  const head = packed[0];
  if (head === undefined) return undefined;
  const prefix = prefixes[head & ~HEX];
  if (prefix === undefined) return undefined;
  return prefix + packed.subarray(1).toString(head & HEX ? "hex" : "utf8");
}
