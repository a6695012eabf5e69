import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { invalidValue, ScimProblem } from "./problem.ts";

/** One change of a resource. */
export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  /** The attribute, in small letters; empty for one that is not kept, absent where the value has several. */
  readonly attribute: string | undefined;
  /** The member of the attribute, or of its items. */
  readonly member: string | undefined;
  /** What the item's `value` must be, where the path chooses one: `members[value eq "id"]`. */
  readonly chosen: string | undefined;
  readonly value: unknown;
}

const MAX_OPERATIONS = 100;
const PATH = /^([A-Za-z$][\w$]*)(?:\[\s*(\w+)\s+eq\s+"([^"\\]{0,256})"\s*\])?(?:\.(\w+))?$/;

/**
 * The operations of a PATCH body (RFC 7644, section 3.5.2), also as Entra spells them (`Add`).
 * @throws ScimProblem
 */
export function readPatch(body: JsonObject): PatchOperation[] {
  const list = body.Operations ?? body.operations;
  if (!Array.isArray(list) || list.length === 0) throw invalidValue("Operations: expected a list");
  if (list.length > MAX_OPERATIONS) throw invalidValue(`Operations: at most ${MAX_OPERATIONS} at once`);
  return list.flatMap((each) => {
    const operation = readOperation(each);
    return operation.attribute === undefined ? operationsIn(operation) : [operation];
  });
}

/** Each attribute of a value that has several, whose names may be whole paths; what is no path is not kept. */
function operationsIn({ op, value }: PatchOperation): PatchOperation[] {
  return Object.entries(value as JsonObject).map(([path, each]) => {
    const isPath = path.length <= MAX_PATH && PATH.test(withoutSchema(path));
    return isPath ? readOperation({ op, path, value: each }) : { ...NOT_KEPT, op, value: each };
  });
}

function readOperation(each: unknown): PatchOperation {
  if (!isJsonObject(each)) throw invalidValue("Operations: expected maps with op, path and value");
  const op = typeof each.op === "string" ? each.op.toLowerCase() : "";
  if (op !== "add" && op !== "replace" && op !== "remove")
    throw new ScimProblem(400, "op: expected add, replace or remove", "invalidSyntax");
  const { path, value } = each;
  if (path === undefined || path === null || path === "") {
    if (op === "remove") throw new ScimProblem(400, "remove needs a path", "noTarget");
    if (!isJsonObject(value)) throw invalidValue("value: expected a map of attributes, as there is no path");
    return { op, attribute: undefined, member: undefined, chosen: undefined, value };
  }
  const core = typeof path === "string" ? withoutSchema(path) : "";
  if (/^urn:/i.test(core)) return { ...NOT_KEPT, op, value };
  const found = core.length > MAX_PATH ? null : PATH.exec(core);
  if (found === null) throw new ScimProblem(400, "path: expected an attribute", "invalidPath");
  const [, name = "", by, chosen, member] = found;
  const attribute = name.toLowerCase();
  if (SIMPLE.includes(attribute) && (by !== undefined || member !== undefined))
    throw new ScimProblem(400, `path: ${name} has no parts`, "invalidPath");
  if (attribute === "members" && member !== undefined && member !== "value")
    return { ...NOT_KEPT, op, value };
  // What is chosen in a way that nothing is known by must not become all of them.
  if (attribute === "members" && by !== undefined && by.toLowerCase() !== "value")
    throw new ScimProblem(
      400,
      'path: members are chosen by their value: members[value eq "id"]',
      "invalidPath",
    );
  return {
    op,
    attribute,
    member: member?.toLowerCase(),
    chosen: by === undefined ? undefined : chosen,
    value,
  };
}

/** An attribute of the core schema may stand behind its schema's name; those of extensions are not kept. */
function withoutSchema(path: string): string {
  return path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, "");
}

const MAX_PATH = 400;
const NOT_KEPT = { attribute: "", member: undefined, chosen: undefined } as const;
const SIMPLE: readonly string[] = ["active", "username", "displayname", "externalid"];
