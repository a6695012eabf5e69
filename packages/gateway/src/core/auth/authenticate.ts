import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { ConfigSource, ConfiguredKey, GatewayConfig } from "../../platform/config/gateway-config.ts";
import { AccessGroups } from "./access-groups.ts";
import { extractKey } from "./extract-key.ts";
import { KeyHashes, keyHash } from "./key-hashes.ts";
import { masterPrincipal } from "./master-principal.ts";

/** A key as authentication needs it, wherever it is kept. */
export type KnownKey = ConfiguredKey;

/** Finds keys by hash; the answer is at most a second old on every replica. */
export interface KeyLookup {
  find(keyHash: string): KnownKey | undefined | Promise<KnownKey | undefined>;
}

/** Turns the key of a request into the principal it stands for. */
export class Authenticator {
  readonly #lookup: KeyLookup | undefined;
  readonly #fallbackMasterKey: string | undefined;
  readonly #hashes = new KeyHashes();
  #master!: Principal | undefined;
  #masterHash!: Buffer | undefined;
  #fileKeys!: ReadonlyMap<string, ConfiguredKey>;
  #groups!: AccessGroups;
  #keyHeader: string | undefined;

  /**
   * @param generatedMasterKey in force while the configuration names none
   * @param lookup of the keys in the store, where there is one
   */
  constructor(config: ConfigSource, generatedMasterKey: string | undefined, lookup: KeyLookup | undefined) {
    this.#fallbackMasterKey = generatedMasterKey;
    this.#lookup = lookup;
    this.#load(config.current());
    config.subscribe((next) => this.#load(next));
  }

  /**
   * Who is calling.
   * @throws GatewayError 401 when the request carries no key, or none that is known and valid
   */
  identify(headers: IncomingHttpHeaders): Principal | Promise<Principal> {
    const extracted = extractKey(headers, this.#keyHeader);
    if ("problem" in extracted) throw refused(extracted.problem);
    const { hex, bytes } = this.#hashes.of(extracted.key);
    if (this.#masterHash !== undefined && timingSafeEqual(this.#masterHash, bytes)) return this.#master!;
    const fileKey = this.#fileKeys.get(hex);
    if (fileKey !== undefined) return this.#admit(fileKey);
    const found = this.#lookup?.find(hex);
    return found instanceof Promise ? found.then((key) => this.#admit(key)) : this.#admit(found);
  }

  /**
   * A principal as its key is now, for work that goes on after the request was answered.
   * @throws GatewayError 401 when the key was blocked or deleted or has expired since
   */
  async recall(remembered: Principal): Promise<Principal> {
    const { keyHash } = remembered;
    if (keyHash === this.#master?.keyHash) return this.#master;
    return this.#admit(this.#fileKeys.get(keyHash) ?? (await this.#lookup?.find(keyHash)));
  }

  #admit(key: KnownKey | undefined): Principal {
    return this.#groups.expand(admit(key));
  }

  #load(config: GatewayConfig): void {
    const masterKey = config.generalSettings.masterKey ?? this.#fallbackMasterKey;
    const hash = masterKey === undefined ? undefined : keyHash(masterKey);
    this.#masterHash = hash?.bytes;
    this.#master = hash && masterPrincipal(hash.hex);
    this.#groups = new AccessGroups(config);
    this.#keyHeader = config.generalSettings.litellmKeyHeaderName?.toLowerCase();
    this.#fileKeys = new Map(config.keys.map((key) => [key.principal.keyHash, key]));
  }
}

function admit(key: KnownKey | undefined): Principal {
  if (key === undefined) throw refused("Invalid api key: it is unknown to this gateway");
  if (key.blocked) throw refused("This api key is blocked");
  if (key.expiresAt !== undefined && key.expiresAt <= Date.now()) throw refused("This api key has expired");
  return key.principal;
}

function refused(reason: string): GatewayError {
  return new GatewayError(401, "authentication_error", `Authentication Error, ${reason}.`, {
    headers: { "www-authenticate": "Bearer" },
  });
}
