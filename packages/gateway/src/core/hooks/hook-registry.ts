import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hooks } from "../../contract/hook.ts";
import { SetupError } from "../../contract/setup-error.ts";
import type { ConfigSource, GatewayConfig } from "../../platform/config/gateway-config.ts";
import { type BuiltInCallback, isModulePath } from "../../platform/config/options/callbacks.ts";
import { messageOf } from "../../util/message-of.ts";
import { formatPython } from "./format-python.ts";
import type { HookSource } from "./hook-runner.ts";
import { localFile } from "./local-file.ts";
import { bannedRule, patternGuard, readGuardRules } from "./pattern-guard.ts";

const builtIn: Readonly<Record<BuiltInCallback, () => Hooks>> = { format_python: formatPython };

/** Is told of modules that cannot be loaded again after a change. */
export type WarnOfHooks = (message: string) => void;

/** The hooks that the configuration names, loaded again when it changes; a broken module leaves the old ones in force. */
export class HookRegistry implements HookSource {
  /** In their order. */
  modules: readonly Hooks[] = [];
  readonly #baseFolder: string;
  readonly #warn: WarnOfHooks;
  readonly #builtIn: readonly Hooks[];
  readonly #listeners: (() => void)[] = [];
  #unsubscribe: (() => void) | undefined;
  #loading: Promise<void> = Promise.resolve();

  private constructor(baseFolder: string, warn: WarnOfHooks, builtIn: readonly Hooks[]) {
    this.#baseFolder = baseFolder;
    this.#warn = warn;
    this.#builtIn = builtIn;
  }

  /**
   * Loads the hooks of the configuration in force.
   * @param baseFolder relative paths count from here
   * @param builtIn hooks of the gateway itself, which run before the user's
   * @throws Error naming the module that cannot be loaded
   */
  static async open(
    config: ConfigSource,
    baseFolder: string,
    warn: WarnOfHooks,
    builtIn: readonly Hooks[] = [],
  ): Promise<HookRegistry> {
    const registry = new HookRegistry(baseFolder, warn, builtIn);
    registry.modules = await registry.#load(config.current);
    registry.#unsubscribe = config.subscribe((changed) => registry.#reload(changed));
    return registry;
  }

  subscribe(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when reloads that have begun are done; no more follow. */
  async close(): Promise<void> {
    this.#unsubscribe?.();
    await this.#loading;
  }

  #reload(config: GatewayConfig): void {
    this.#loading = this.#loading.then(async () => {
      try {
        this.modules = await this.#load(config);
      } catch (error) {
        this.#warn(`${(error as Error).message} The hooks loaded before stay in force.`);
        return;
      }
      for (const listener of this.#listeners) listener();
    });
  }

  async #load(config: GatewayConfig): Promise<readonly Hooks[]> {
    const { callbacks, guard } = config.gatewaySettings;
    const hooks = [...this.#builtIn];
    const { bannedKeywords } = config.lists;
    if (bannedKeywords.length > 0) hooks.push(patternGuard([bannedRule(bannedKeywords)]));
    if (guard !== undefined) hooks.push(patternGuard(await readGuardRules(guard, this.#baseFolder)));
    for (const entry of callbacks) {
      if (isModulePath(entry)) hooks.push(await loadHooks(entry, this.#baseFolder));
      else if (Object.hasOwn(builtIn, entry)) hooks.push(builtIn[entry as BuiltInCallback]());
    }
    return hooks;
  }
}

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
  const file = localFile("callbacks", path, baseFolder);
  let exported: Record<string, unknown>;
  try {
    // The changed module is another one to the loader only under another address.
    const { mtimeMs } = await stat(file);
    exported = (await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`)) as Record<string, unknown>;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
    const reason = isMissing ? `there is no file ${file}` : messageOf(error);
    throw new SetupError(`The hook module ${path} cannot be loaded (callbacks): ${reason}.`, {
      cause: error,
    });
  }
  const sources = [exported, exported.default, exported.hooks].filter(isHolder);
  const hooks: Record<string, unknown> = {};
  for (const source of sources)
    for (const [name, value] of membersOf(source)) {
      const moment = moments.find((one) => plainName(one) === plainName(name));
      if (moment === undefined) continue;
      // A hook that never runs would let through what it is there to stop.
      if (moment !== name)
        throw new SetupError(`The hook module ${path} exports ${name}; did you mean ${moment}?`);
      if (typeof value !== "function")
        throw new SetupError(`The hook module ${path} exports ${name}, which is no function.`);
      hooks.name ??= typeof source.name === "string" ? source.name : undefined;
      hooks[moment] ??= value.bind(source);
    }
  if (!moments.some((moment) => hooks[moment] !== undefined))
    throw new SetupError(`The hook module ${path} exports none of ${moments.join(", ")}.`);
  return { ...hooks, name: hooks.name ?? basename(path) } as Hooks;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Members of an object or of its class. */
function membersOf(source: Record<string, unknown>): (readonly [string, unknown])[] {
  const names = new Set<string>();
  let holder: object | null = source;
  while (holder !== null && holder !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(holder)) names.add(name);
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return [...names].map((name) => [name, source[name]] as const);
}

/** `pre_call`, `PreCall` and `preCallHook` are slips of `preCall`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .replace(/hook$/, "");
}
