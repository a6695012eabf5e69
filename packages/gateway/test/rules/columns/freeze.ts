import { expect } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { hostileBodies, hostileTexts } from "../hostile-inputs.ts";
import { addressOf, examples, type Ids } from "../requests.ts";
import { keys } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";

const noBody: Exemption = {
  why: "takes no body",
  check: (_stage, { json, takesForm, takesFields }) => {
    expect([json, takesForm, takesFields]).toEqual([undefined, false, false]);
  },
};

/**
 * At this size work that grows with the square of a text takes minutes, for which the test does not wait. How long
 * other callers are held up is measured by `npm run attack:freezes -w portico`.
 */
const SIZE = 600_000;
const TEXTS = ["spaces", "one word", "digits"];
const BODIES = ["tiny values", "deep lists"];

export const freeze: Column = {
  name: "freeze",
  about:
    "texts of white space, of one word and of digits, and bodies of tiny and of deep values, take work in proportion to their length; a multipart boundary of one character does",
  exempt: ({ json, takesForm, takesFields }) =>
    json === undefined && !takesForm && !takesFields ? noBody : undefined,
  holds: async (stage, operation, form) => {
    // The others lead to the same handler.
    if (form !== operation.path) return;
    const { needs, body } = examples[operation.id]!;
    const ids: Ids = needs === undefined ? {} : await stage.make(needs);
    const isAdmins = operation.access === "admin" || examples[operation.id]!.byAdmin === true;
    const key = isAdmins ? stage.gateway.masterKey : keys.alice;
    const send = async (text: string, type = "application/json"): Promise<void> => {
      const address = addressOf(operation, form, ids);
      await rawRequest(stage.gateway.url, operation.method, address, key, text, { "content-type": type });
    };
    const example = body?.(ids);
    if (example !== undefined) {
      for (const name of TEXTS) await send(JSON.stringify(withTexts(example, hostileTexts[name]!(SIZE))));
      for (const name of BODIES) await send(hostileBodies[name]!(example, SIZE));
    }
    if (operation.takesForm) await send("a".repeat(SIZE), "multipart/form-data; boundary=a");
    if (operation.takesFields)
      for (const name of TEXTS) await send(hostileTexts[name]!(SIZE), "application/x-www-form-urlencoded");
    const { status } = await rawRequest(stage.gateway.url, "GET", "/health/liveliness", "");
    expect(status).toBe(200);
  },
};

/** The example with this at the end of all its texts but the model's name. */
function withTexts(example: JsonObject, addition: string): JsonObject {
  const text = JSON.stringify(example, (name, value) =>
    typeof value === "string" && !["model", "role"].includes(name) ? value + addition : value,
  );
  return JSON.parse(text) as JsonObject;
}
