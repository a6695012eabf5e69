import { isJsonObject, type JsonObject, objectOf, textsOf } from "../../contract/json.ts";
import { referredIn } from "./schema-reference.ts";

/**
 * Words that OpenAI refuses at the top of a function's parameters; Anthropic, also on Bedrock, refuses the first three. A
 * reference there stands in place of `type: "object"`, which all of them want.
 */
const REFUSED = ["oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref"] as const;
/** Schemas that are looked into at the top; what stands beyond says nothing more. */
const MAX_PARTS = 200;

/**
 * A function's parameters as an object without alternatives at the top, as OpenAI, Anthropic and Bedrock want them: the
 * members of all alternatives, of which those must be there that each alternative wants. A model that keeps to one of the
 * alternatives keeps to this schema. One that has nothing of the kind stays the same object.
 */
export function objectSchema(schema: JsonObject): JsonObject {
  if (REFUSED.every((word) => schema[word] === undefined)) return schema;
  const { oneOf, anyOf, allOf, enum: _, const: __, not, $ref, ...rest } = schema;
  const { properties, required, additionalProperties, ...kept } = rest;
  const shape = new Parts(schema).shapeOf(schema, []);
  const others = shape.isClosed ? false : additionalProperties;
  return {
    ...kept,
    type: "object",
    properties: Object.fromEntries([...shape.members].map(([name, found]) => [name, oneOfThem(found)])),
    ...(shape.required.size === 0 ? {} : { required: [...shape.required] }),
    ...(others === undefined ? {} : { additionalProperties: others }),
  };
}

/** What a schema says of objects. */
interface Shape {
  /** By name, the schemas of which a member fits one. */
  readonly members: ReadonlyMap<string, readonly unknown[]>;
  readonly required: ReadonlySet<string>;
  /** Takes no members but these. */
  readonly isClosed: boolean;
}

const anything: Shape = { members: new Map(), required: new Set(), isClosed: false };

/** Reads the parts of which a schema is made at its top. */
class Parts {
  readonly #root: JsonObject;
  #left = MAX_PARTS;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** @param open references within which this one stands; one that leads back to itself says nothing more */
  shapeOf(schema: JsonObject, open: readonly string[]): Shape {
    this.#left -= 1;
    if (this.#left < 0) return anything;
    const shapes = [ownShape(schema)];
    const { $ref: ref, allOf } = schema;
    if (typeof ref === "string" && !open.includes(ref)) {
      const found = referredIn(this.#root, ref);
      if (found !== undefined) shapes.push(this.shapeOf(found, [...open, ref]));
    }
    if (Array.isArray(allOf))
      for (const part of allOf.filter(isJsonObject)) shapes.push(this.shapeOf(part, open));
    for (const alternatives of [schema.oneOf, schema.anyOf]) {
      if (!Array.isArray(alternatives)) continue;
      // Arguments are objects, so that alternatives of other types say nothing of them.
      // Those past the limit count as one that wants nothing.
      const objects = alternatives
        .filter(isJsonObject)
        .filter(mayBeObject)
        .slice(0, MAX_PARTS + 1);
      if (objects.length > 0) shapes.push(either(objects.map((one) => this.shapeOf(one, open))));
    }
    return together(shapes);
  }
}

function mayBeObject({ type }: JsonObject): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

function ownShape({ properties, required, additionalProperties }: JsonObject): Shape {
  const members = Object.entries(objectOf(properties));
  return {
    members: new Map(members.map(([name, one]) => [name, [one]])),
    required: new Set(textsOf(required)),
    isClosed: additionalProperties === false,
  };
}

/** What holds where all of them do; what two say of a member, the first one's word is taken for. */
function together(shapes: readonly Shape[]): Shape {
  const members = new Map<string, readonly unknown[]>();
  for (const shape of shapes)
    for (const [name, found] of shape.members) if (!members.has(name)) members.set(name, found);
  return {
    members,
    required: new Set(shapes.flatMap(({ required }) => [...required])),
    isClosed: shapes.some(({ isClosed }) => isClosed),
  };
}

/** What holds where one of them does; a member that some leave open keeps what the others say of it. */
function either(shapes: readonly Shape[]): Shape {
  const members = new Map<string, readonly unknown[]>();
  for (const shape of shapes)
    for (const [name, found] of shape.members) members.set(name, [...(members.get(name) ?? []), ...found]);
  const required = [...(shapes[0]?.required ?? [])];
  return {
    members,
    required: new Set(required.filter((name) => shapes.every((shape) => shape.required.has(name)))),
    isClosed: shapes.every(({ isClosed }) => isClosed),
  };
}

function oneOfThem(schemas: readonly unknown[]): unknown {
  const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}
