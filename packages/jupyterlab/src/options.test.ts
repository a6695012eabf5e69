import { readFileSync } from "node:fs";
import { formatSource } from "jetblack/editor";
import { describe, expect, it } from "vitest";
import { modeOfSettings } from "../../formatter/src/mode/config/mode-of-settings.ts";
import { optionKeys, projectSettingsOf } from "./options.ts";

const schema = JSON.parse(readFileSync(new URL("../schema/plugin.json", import.meta.url), "utf8")) as {
  properties: Readonly<Record<string, { default: unknown }>>;
};
const defaults = Object.fromEntries(
  Object.entries(schema.properties).map(([name, { default: value }]) => [name, value]),
);

describe("projectSettingsOf", () => {
  it("knows each setting of the schema but the one about saving", () => {
    expect(Object.keys(defaults)).toEqual([...Object.keys(optionKeys), "formatOnSave"]);
  });

  it("takes the schema's defaults for Black's", () => {
    const modeWith = (values: object) => modeOfSettings(projectSettingsOf({ ...values }).settings);
    expect(modeWith(defaults)).toEqual(modeWith({}));
  });

  it.each([
    ["lineLength", 10, "f(aaa, bbb)\n", "f(\n    aaa,\n    bbb,\n)\n"],
    ["targetVersions", ["py27"], "", "py27"],
    ["skipStringNormalization", true, "x = 'a'\n", "x = 'a'\n"],
    ["skipMagicTrailingComma", true, "f(\n    a,\n)\n", "f(a)\n"],
    ["preview", true, "x = 1\n", "x = 1\n"],
    ["unstable", true, "x = 1\n", "x = 1\n"],
  ] as const)("hands %s on", (name, value, source, expected) => {
    const format = (): string => {
      const { edits } = formatSource(
        { text: source, path: "a.py" },
        projectSettingsOf({ ...defaults, [name]: value }),
      );
      return edits.length === 0 ? source : edits.map(({ newText }) => newText).join("");
    };
    if (name === "targetVersions") expect(format).toThrow(expected);
    else expect(format()).toBe(expected);
  });
});
