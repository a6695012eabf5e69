import { describe, expect, it } from "vitest";
import { chooseVersion, type ShareScope, takeSharedModules } from "./shared-modules.ts";

const get = () => Promise.resolve(() => ({}));
const shared = (name: string): ShareScope => ({ [name]: { "4.0.0": { get: () => () => ({ name }) } } });
const needed = [
  "@jupyterlab/apputils",
  "@jupyterlab/settingregistry",
  "@jupyterlab/ui-components",
  "@lumino/widgets",
];

describe("chooseVersion", () => {
  it("takes the one in use", () => {
    expect(chooseVersion({ "4.9.0": { get }, "4.6.6": { get, loaded: 1 }, "4.7.0": { get } })).toBe("4.6.6");
  });

  it("takes the highest of those that are not", () => {
    expect(chooseVersion({ "4.6.6": { get }, "4.10.0": { get }, "4.9.0": { get } })).toBe("4.10.0");
  });

  it("finds none where there is none", () => {
    expect(chooseVersion({})).toBeUndefined();
  });
});

describe("takeSharedModules", () => {
  it("leaves out what a page does not offer", async () => {
    const scope = Object.assign({}, ...needed.map(shared)) as ShareScope;
    expect(await takeSharedModules(scope)).toEqual({
      apputils: { name: needed[0] },
      settings: { name: needed[1] },
      components: { name: needed[2] },
      widgets: { name: needed[3] },
    });
  });

  it("says what is missing in a page that is not JupyterLab 4", async () => {
    await expect(takeSharedModules(shared("@lumino/widgets"))).rejects.toThrow(
      "needs JupyterLab 4; this page does not offer @jupyterlab/apputils",
    );
  });
});
