import { dump } from "js-yaml";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { YamlText } from "../../platform/config/document/yaml-text.ts";
import type { ConfigFile, ConfigSource } from "../../platform/config/gateway-config.ts";
import { formatProblem } from "../../platform/config/problem.ts";
import { maskSettings } from "../../platform/store/secret-params.ts";

/**
 * `GET /ui/configuration`: the file in force and, where what stands there now was rejected, that file and why. Texts are
 * written anew, without comments, which may say anything, and with every secret masked.
 */
export function configurationReader(config: ConfigSource): () => JsonObject {
  // Long files take a while to read, so each version is read once.
  const shown = new Map<Uint8Array, string | null>();
  return () => {
    const { file } = config;
    if (file === undefined) return { file: null };
    const { path, loadedAt, warnings, rejected } = file;
    const wanted = [file.bytes, rejected?.bytes].filter((bytes) => bytes !== undefined);
    for (const bytes of shown.keys()) if (!wanted.includes(bytes)) shown.delete(bytes);
    for (const bytes of wanted) if (!shown.has(bytes)) shown.set(bytes, maskedText(bytes));
    return {
      file: path,
      loaded_at: new Date(loadedAt).toISOString(),
      text: shown.get(file.bytes) ?? null,
      warnings: warnings.map(formatProblem),
      rejected: rejected && rejectedObject(rejected, shown),
    };
  };
}

function rejectedObject(
  { at, bytes, problems }: NonNullable<ConfigFile["rejected"]>,
  shown: ReadonlyMap<Uint8Array, string | null>,
): JsonObject {
  return {
    at: new Date(at).toISOString(),
    text: bytes === undefined ? null : (shown.get(bytes) ?? null),
    problems,
  };
}

/** @returns `null` for a text that is no configuration, of which nobody can tell what in it is secret */
function maskedText(bytes: Uint8Array): string | null {
  try {
    const { value } = new YamlText(Buffer.from(bytes).toString());
    return isJsonObject(value) ? dump(maskSettings(value), { lineWidth: -1, noRefs: true }) : null;
  } catch {
    return null;
  }
}
