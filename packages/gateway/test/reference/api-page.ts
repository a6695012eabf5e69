import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GroupDescription, Operation } from "../../src/contract/operation.ts";
import type { Schema } from "../../src/contract/schema.ts";

/** Every group of operations that the `schema.ts` files below a folder of sources describe, by their tags. */
export async function groupsOf(sources: string): Promise<GroupDescription[]> {
  const files = globSync("features/**/schema.ts", { cwd: sources });
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(sources, file)).href) as Promise<Record<string, object>>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((exported): exported is GroupDescription => "operations" in exported)
    .toSorted((one, other) => one.tag.localeCompare(other.tag));
}

/** `docs/gateway/api.md`: each operation with the fields of its query and bodies. */
export function apiPage(groups: readonly GroupDescription[]): string {
  const shownAt = new Map<Schema, string>();
  return [
    "# Endpoints and their fields",
    "",
    "What a request may say, by the schemas that check it (`packages/gateway/src/features/*/schema.ts` and",
    "`formats/*/fields.ts`); `/openapi.json` says the same to machines, and what is answered. A bold field must be there.",
    "Fields that are not listed pass through, unless an operation refuses them. A test keeps this page up to date;",
    "`npm run reference -w portico` writes it.",
    "",
    ...groups.flatMap(({ tag, about, operations }) => [
      `## ${tag}`,
      "",
      about,
      "",
      ...operations.flatMap((operation) => operationLines(operation, shownAt)),
    ]),
  ].join("\n");
}

/** @param shownAt where on the page a body's fields stand already */
function operationLines(
  { method, path, summary, selectors = [], query, request }: Operation,
  shownAt: Map<Schema, string>,
): string[] {
  const named = selectors.filter((place) => place === "header" || place === "query");
  return [
    `### \`${method} ${path}\``,
    "",
    `${summary}.${named.length === 0 ? "" : ` A provider may be named in: ${named.join(", ")}.`}`,
    "",
    ...(query === undefined ? [] : table("Query", query)),
    ...Object.entries(request?.content ?? {}).flatMap(([type, schema]) => {
      const before = shownAt.get(schema);
      if (before !== undefined) return [`\`${type}\`: as for ${before}.`, ""];
      shownAt.set(schema, `\`${method} ${path}\``);
      const forms = alternatives(schema);
      if (forms.length === 1) return table(`\`${type}\``, schema);
      return [
        `\`${type}\`: ${schema.description}`,
        "",
        ...forms.flatMap((form) => table(form.description!, form)),
      ];
    }),
  ];
}

function table(title: string, schema: Schema): string[] {
  const rows = fieldRows(schema, "");
  if (rows.length === 0) return [`${title}: ${schema.description ?? "bytes"}`, ""];
  const others = schema.additionalProperties === false ? ["Other fields are refused.", ""] : [];
  return [`| ${title} | Value | Meaning |`, "|---|---|---|", ...rows, "", ...others];
}

/** The fields of an object, and those of the objects in it. */
function fieldRows(schema: Schema, prefix: string): string[] {
  const shownAs = new Map<Schema, string>();
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const field = prefix + name;
    const shown = schema.required?.includes(name) ? `**\`${field}\`**` : `\`${field}\``;
    const about = aboutOf(member).replaceAll("|", "\\|");
    const same = alternatives(member).flatMap((one) => shownAs.get(one) ?? []);
    if (same.length > 0) return [`| ${shown} | ${shapeOf(member)} | As \`${same[0]}\`. |`];
    const inner = alternatives(member).flatMap((one) => {
      if (one.type === "array") return fieldRows(one.items ?? {}, `${field}[].`);
      const rows = fieldRows(one, `${field}.`);
      if (rows.length > 0) shownAs.set(one, field);
      return rows;
    });
    return [`| ${shown} | ${shapeOf(member)} | ${about} |`, ...inner];
  });
}

/** What a value may be; null says nothing more than leaving the field out. */
function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf?.flatMap(alternatives).filter(({ type }) => type !== "null") ?? [schema];
}

function aboutOf(schema: Schema): string {
  return alternatives(schema)
    .flatMap(({ description }) => description ?? [])
    .join(" ");
}

function shapeOf(schema: Schema): string {
  return alternatives(schema).map(shapeOfOne).join(" or ");
}

function shapeOfOne({
  type,
  enum: words,
  format,
  items,
  minimum,
  maximum,
  maxLength,
  ...rest
}: Schema): string {
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ");
  const { minItems, maxItems, default: usual } = rest;
  const bounds = [
    ...range(minimum, maximum, ""),
    ...range(minItems, maxItems, " items"),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(usual === undefined ? [] : [`${String(usual)} where it is missing`]),
  ];
  const inner = items === undefined || items.type === undefined ? "" : ` of ${shapeOf(items)}`;
  const name = format === "uri" ? "absolute URL" : format === "binary" ? "file" : NAMES[type ?? "any"];
  return [`${name}${inner}`, ...bounds].join(", ");
}

const NAMES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  array: "list",
  object: "object",
  any: "any",
};

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${most}${unit}`];
  return [most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`];
}
