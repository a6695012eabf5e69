import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyProblem } from "../../contract/principal.ts";
import { SetupError } from "../../contract/setup-error.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { SAME_AS_MASTER } from "../../platform/config/read/read-keys.ts";
import { makeDataDirectory } from "../../platform/store/data-directory.ts";
import { sha256 } from "../../util/sha256.ts";

/** The master key that a gateway starts with. */
interface MasterKeyAtStart {
  readonly key: string;
  /** From the configuration, made at this start (nobody has seen it yet), or at an earlier one. */
  readonly source: "configured" | "generated" | "kept";
}

/**
 * The master key of the configuration, else the one in the data directory.
 * @throws SetupError for one that no request can carry or that an entry of `keys[]` repeats; reading the configuration
 *   has refused the same of its own
 */
export function masterKeyAtStart(config: GatewayConfig, dataDirectory: string): MasterKeyAtStart {
  const configured = config.generalSettings.masterKey;
  if (configured !== undefined) return { key: configured, source: "configured" };
  const { key, isNew } = generatedMasterKey(dataDirectory);
  requireOtherKeys(config, key);
  return { key, source: isNew ? "generated" : "kept" };
}

/**
 * Refuses a configuration whose entries repeat the generated master key, at the start and at every reload.
 * @param generated in force while the configuration names none
 * @throws SetupError
 */
export function requireOtherKeys({ generalSettings, keys }: GatewayConfig, generated: string): void {
  if (generalSettings.masterKey !== undefined) return;
  const twin = keys.placeOf(sha256(generated));
  if (twin !== undefined) throw new SetupError(`keys[${twin}].key ${SAME_AS_MASTER}`);
}

/**
 * The master key kept in the data directory (file `master-key`, mode 0600); made at the first start. Two processes
 * that start at once end up with the same key.
 * @throws SetupError where somebody put a text into the file that no request can carry
 */
export function generatedMasterKey(dataDirectory: string): { readonly key: string; readonly isNew: boolean } {
  const file = join(dataDirectory, "master-key");
  const existing = keptMasterKey(dataDirectory);
  if (existing !== undefined) return { key: existing, isNew: false };
  makeDataDirectory(dataDirectory);
  const key = `sk-${randomBytes(24).toString("base64url")}`;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600 });
  try {
    // A hard link either creates the complete file or fails because another process was first.
    linkSync(draft, file);
    return { key, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { key: readFileSync(file, "utf8").trim(), isNew: false };
  } finally {
    unlinkSync(draft);
  }
}

/**
 * The master key kept in the data directory, where there is one.
 * @throws SetupError as `generatedMasterKey`
 */
export function keptMasterKey(dataDirectory: string): string | undefined {
  const file = join(dataDirectory, "master-key");
  try {
    const key = readFileSync(file, "utf8").trim() || undefined;
    const problem = key === undefined ? undefined : keyProblem(key);
    if (problem !== undefined) throw new SetupError(`The master key in ${file} ${problem}`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
