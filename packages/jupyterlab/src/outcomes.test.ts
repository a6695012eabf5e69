import { settingsOf } from "jetblack/editor";
import { expect, test } from "vitest";
import { FakeText } from "../test/fake-page.ts";
import { outcomeOf } from "./outcomes.ts";

test("a text is formatted again only when it or the settings have changed", () => {
  const text = new FakeText("x=1");
  const { settings } = settingsOf({});
  let uses = 0;
  const counted = {
    get settings() {
      uses++;
      return settings;
    },
  };
  const format = (key: string) => {
    uses = 0;
    const { kind } = outcomeOf({ text, path: "a.ipynb", isCell: true, editor: null }, counted, key);
    return [kind, uses > 0];
  };
  expect(format("one")).toEqual(["changed", true]);
  expect(format("one")).toEqual(["unchanged", false]);
  expect(format("two")).toEqual(["unchanged", true]);
  text.updateSource(0, 5, "x=(");
  expect(format("two")).toEqual(["failed", true]);
  expect(format("two")).toEqual(["failed", false]);
  text.updateSource(0, 3, "x=1");
  expect(format("two")).toEqual(["changed", true]);
});
