import { resolve } from "node:path";
import type { Hooks } from "../../contract/hook.ts";
import type { ConfigSource, GatewayConfig } from "../../platform/config/gateway-config.ts";
import { type BuiltInCallback, isModulePath } from "../../platform/config/options/callbacks.ts";
import { formatPython } from "./format-python/format-python.ts";
import { patternGuard } from "./guard/pattern-guard.ts";
import { readGuardRules } from "./guard/read-guard-rules.ts";
import { loadHooks } from "./load-hooks.ts";

const builtIn: Readonly<Record<BuiltInCallback, () => Hooks>> = { format_python: formatPython };

/** Is told of modules that cannot be loaded again after a change. */
export type WarnOfHooks = (message: string) => void;

/** The hooks that the configuration names, loaded again when it changes; a broken module leaves the old ones in force. */
export class HookRegistry {
  readonly #baseFolder: string;
  readonly #warn: WarnOfHooks;
  readonly #builtIn: readonly Hooks[];
  #loaded: readonly Hooks[] = [];
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
    registry.#loaded = await registry.#load(config.current());
    registry.#unsubscribe = config.subscribe((changed) => registry.#reload(changed));
    return registry;
  }

  /** The modules in their order. */
  current(): readonly Hooks[] {
    return this.#loaded;
  }

  /** Resolves when reloads that have begun are done; no more follow. */
  async close(): Promise<void> {
    this.#unsubscribe?.();
    await this.#loading;
  }

  #reload(config: GatewayConfig): void {
    this.#loading = this.#loading.then(async () => {
      try {
        this.#loaded = await this.#load(config);
      } catch (error) {
        this.#warn(`${(error as Error).message} The hooks loaded before stay in force.`);
      }
    });
  }

  async #load(config: GatewayConfig): Promise<readonly Hooks[]> {
    const { callbacks, guard } = config.gatewaySettings;
    const hooks = [...this.#builtIn];
    if (guard !== undefined) hooks.push(patternGuard(await readGuardRules(resolve(this.#baseFolder, guard))));
    for (const entry of callbacks) {
      if (isModulePath(entry)) hooks.push(await loadHooks(entry, this.#baseFolder));
      else if (Object.hasOwn(builtIn, entry)) hooks.push(builtIn[entry as BuiltInCallback]());
    }
    return hooks;
  }
}
