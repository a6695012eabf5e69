import { expect } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { type Changed, eachTextIn } from "../each-text.ts";
import type { Operation, Schema } from "../operations.ts";
import { ask, examples, type Ids } from "../requests.ts";
import type { Stage } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";

const WORD = "SECRETWORD";

const noText: Exemption = {
  why: "takes no body",
  check: async (stage, operation) => {
    const { json, takesForm, takesFields } = operation;
    expect([json, takesForm, takesFields]).toEqual([undefined, false, false]);
    if (examples[operation.id]!.isBound)
      for (const form of operation.forms) await asksWithoutWord(stage, operation, form);
  },
};

/** A word in a parameter that the operation does not know, or as its name, reaches no provider either. */
async function asksWithoutWord(stage: Stage, operation: Operation, form: string): Promise<void> {
  await ask(stage, operation, { form, query: `x=${WORD}&${WORD}=1` });
  expect(stage.asked().filter((line) => line.includes(WORD))).toEqual([]);
}

const staysHere: Exemption = {
  why: "sends nothing of its body to a provider",
  check: async (stage, operation) => {
    const { needs, body } = examples[operation.id]!;
    const ids = needs === undefined ? {} : await stage.make(needs);
    await ask(stage, operation, { ids, body: withWordIn(body?.(ids) ?? {}) });
    expect(stage.asked()).toEqual([]);
  },
};

const later: Exemption = {
  why: "its requests run later, each as a call of its own",
  check: staysHere.check,
};

export const guard: Column = {
  name: "guard",
  about:
    "a word that the guard masks reaches no provider from any text field of the body, nor from a file's name or the query",
  stage: () => ({ guard: { rules: [{ name: "word", pattern: WORD, action: "mask" }] } }),
  exempt: (operation) => {
    if (operation.json === undefined && !operation.takesForm && !operation.takesFields) return noText;
    const { isBound, runsLater } = examples[operation.id]!;
    if (runsLater === true) return later;
    return isBound ? undefined : staysHere;
  },
  holds: async (stage, operation, form) => {
    const { needs, body } = examples[operation.id]!;
    await asksWithoutWord(stage, operation, form);
    const leaks: string[] = [];
    const ids: Ids = needs === undefined ? {} : await stage.make(needs);
    const look = (where: string): void => {
      const sent = stage.asked().filter((line) => line.includes(WORD));
      leaks.push(...sent.map((line) => `${where}: ${line.slice(0, 300)}`));
    };
    if (body !== undefined) {
      const example = body(ids);
      for (const changed of [...eachTextIn(example, WORD), ...eachMemberOf(operation.json, example)]) {
        await ask(stage, operation, { form, ids, body: changed.body });
        look(changed.where);
      }
    }
    if (operation.takesForm)
      for (const part of formParts(operation)) {
        await ask(stage, operation, { form, ids, upload: part });
        look(JSON.stringify(part));
      }
    expect(leaks).toEqual([]);
  },
};

/** The example with each member that the schema describes, where it may be a text or hold some. */
function* eachMemberOf(schema: Schema | undefined, example: JsonObject): Generator<Changed> {
  for (const [name, member] of Object.entries(schema?.properties ?? {})) {
    if (name === "model") continue;
    for (const value of valuesOf(member))
      yield { where: `${name}: ${JSON.stringify(value)}`, body: { ...example, [name]: value } };
  }
}

/** Values with the word that a schema lets in. */
function valuesOf(schema: Schema, depth = 0): unknown[] {
  if (schema.enum !== undefined || depth > 4) return [];
  const alternatives = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (alternatives.length > 0) return alternatives.flatMap((one) => valuesOf(one, depth + 1));
  if (schema.type === "string") return [`say ${WORD}`];
  if (schema.type === "array")
    return (schema.items === undefined ? [`say ${WORD}`] : valuesOf(schema.items, depth + 1)).map((one) => [
      one,
    ]);
  if (schema.type !== "object") return [];
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0)
    return [{ [`say ${WORD}`]: "x" }, { a: `say ${WORD}`, b: { c: [`say ${WORD}`] } }];
  return members.flatMap(([name, member]) => valuesOf(member, depth + 1).map((one) => ({ [name]: one })));
}

/** The whole example with the word in every text. */
function withWordIn(value: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(value, (_name, one) => (typeof one === "string" ? `${one} ${WORD}` : one)),
  );
}

/** Forms with the word in a field, in the file's name and, in other texts, what it holds. */
function formParts({ id }: Operation): { fileName?: string; fields?: Record<string, string> }[] {
  const fields = examples[id]!.form ?? {};
  return [
    { fileName: `${WORD}.jsonl`, fields },
    { fields: { ...fields, title: `say ${WORD}` } },
    ...(id === "createVideo" ? [{ fields: { model: "film", prompt: `say ${WORD}` } }] : []),
  ];
}
