import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hooks } from "../../contract/hook.ts";
import { SetupError } from "../../contract/setup-error.ts";

const moments = [
  "preCall",
  "duringCall",
  "postCallSuccess",
  "postCallStream",
  "failure",
  "requestStatus",
] as const satisfies readonly (keyof Hooks)[];

/**
 * Imports one hook module: its exports, or those of its default export or of its export `hooks`.
 * @param path relative paths count from `baseFolder`
 * @throws Error naming the module when it cannot be imported, or when none of its exports is a hook
 */
export async function loadHooks(path: string, baseFolder: string): Promise<Hooks> {
  const file = resolve(baseFolder, path);
  let exported: Record<string, unknown>;
  try {
    // The changed module is another one to the loader only under another address.
    const { mtimeMs } = await stat(file);
    exported = (await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`)) as Record<string, unknown>;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = missing ? `there is no file ${file}` : (error as Error).message;
    throw new SetupError(`The hook module ${path} cannot be loaded (callbacks): ${reason}.`, {
      cause: error,
    });
  }
  const source = [exported, exported.default, exported.hooks].find(hasHook);
  if (source === undefined)
    throw new SetupError(`The hook module ${path} exports none of ${moments.join(", ")}.`);
  const hooks: Record<string, unknown> = {
    name: typeof source.name === "string" ? source.name : basename(path),
  };
  for (const moment of moments) {
    const hook = source[moment];
    if (typeof hook === "function") hooks[moment] = hook.bind(source);
  }
  return hooks as Hooks;
}

function hasHook(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  return moments.some((moment) => typeof (value as Record<string, unknown>)[moment] === "function");
}
