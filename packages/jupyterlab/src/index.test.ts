import { expect, it } from "vitest";
import "./index.ts";

it("puts a container of module federation under the extension's name", async () => {
  const { _JUPYTERLAB: page } = globalThis as unknown as {
    _JUPYTERLAB: Record<string, { init(scope: object): void; get(): Promise<() => object> }>;
  };
  const container = page["jetblack-jupyterlab"]!;
  const offered = (module: object) => ({ "4.0.0": { get: () => () => module } });
  container.init({
    "@jupyterlab/apputils": offered({ ICommandPalette: {}, IToolbarWidgetRegistry: {} }),
    "@jupyterlab/settingregistry": offered({ ISettingRegistry: {} }),
    "@jupyterlab/ui-components": offered({}),
    "@lumino/widgets": offered({}),
  });
  expect((await container.get())()).toMatchObject({
    __esModule: true,
    default: { id: "jetblack-jupyterlab:plugin", autoStart: true },
  });
});
