import { openPlugin } from "./plugin.ts";
import { type ShareScope, takeSharedModules } from "./shared-modules.ts";

/**
 * The container that JupyterLab expects under the extension's name, with the interface of webpack's module federation:
 * the page hands its modules over by `init`, and then gets the plugin.
 */
let scope: ShareScope = {};

const container = {
  init(offered: ShareScope): void {
    scope = offered;
  },
  async get(): Promise<() => object> {
    const plugin = openPlugin(await takeSharedModules(scope));
    return () => ({ __esModule: true, default: plugin });
  },
};

const page = globalThis as { _JUPYTERLAB?: Record<string, typeof container> };
page._JUPYTERLAB ??= {};
page._JUPYTERLAB["jetblack-jupyterlab"] = container;
