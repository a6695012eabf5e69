import { fileURLToPath } from "node:url";
import { findSources } from "../files/discover/find-sources.ts";
import { findProjectRoot } from "../mode/config/project-root.ts";
import { readConfiguration } from "../mode/config/read-configuration.ts";
import { resolveSettings } from "../mode/config/resolve-settings.ts";
import type { Settings } from "../mode/config/settings.ts";
import { UsageError } from "../mode/config/usage-error.ts";
import { productVersion, satisfiesRequiredVersion, styleVersion } from "../mode/versions.ts";

/** How a document is to be formatted. */
export interface DocumentSettings {
  /** The file that the document is, or would be. */
  readonly path: string | undefined;
  readonly settings: Settings;
  /** Whether `force-exclude` leaves the file alone, or it is a link that leads out of the project. */
  readonly isExcluded: boolean;
}

/**
 * The options of the document's project, found and read as the command line does for a file on standard input. They
 * are read anew each time: the configuration in force is the one on the disk.
 *
 * @param folder where documents that are no files belong
 * @throws {UsageError} when the configuration is wrong, or requires another version
 */
export function settingsFor(uri: string, folder: string): DocumentSettings {
  const path = pathOf(uri);
  const root = findProjectRoot([path ?? folder]);
  const given = new Map(path === undefined ? [] : [["stdin-filename", [path]] as const]);
  const settings = resolveSettings(given, ["-"], readConfiguration(undefined, root));
  const { requiredVersion } = settings;
  if (requiredVersion !== undefined && requiredVersion !== "" && !satisfiesRequiredVersion(requiredVersion))
    throw new UsageError(
      `The project requires version ${requiredVersion}; this is ${productVersion} (style ${styleVersion}).`,
    );
  return { path, settings, isExcluded: !isFound(settings, root?.path) };
}

function isFound(settings: Settings, root: string | undefined): boolean {
  let isFoundNow = false;
  findSources(settings, root, {
    found: () => {
      isFoundNow = true;
    },
    ignored: () => undefined,
    note: () => undefined,
  });
  return isFoundNow;
}

/** The file of a `file:` address; what editors have not saved yet goes by other schemes. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
