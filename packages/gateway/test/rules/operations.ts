import type { TestGateway } from "../support/gateway.ts";

/** Who may ask: everybody, whoever has a key, administrators. */
export type Access = "public" | "key" | "admin";

/** One operation of `/openapi.json`, with every path at which it answers. */
export interface Operation {
  /** The operation's own id, without what tells its forms apart. */
  readonly id: string;
  readonly method: string;
  /** Its main path; parameters in braces. */
  readonly path: string;
  /** All paths, the main one first. */
  readonly forms: readonly string[];
  readonly access: Access;
  /** Names of the parameters in the main path. */
  readonly ids: readonly string[];
  /** The schema of its JSON body. */
  readonly json: Schema | undefined;
  readonly takesForm: boolean;
  /** A form without files, as pages send it. */
  readonly takesFields: boolean;
}

export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The operations of a running gateway, from its own description. */
export async function operationsOf(gateway: TestGateway): Promise<readonly Operation[]> {
  const answer = await fetch(`${gateway.url}/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Described>> };
  const found = new Map<string, Operation>();
  for (const [path, item] of Object.entries(paths))
    for (const [method, described] of Object.entries(item)) {
      // What follows tells one path of the operation from another.
      const [id = ""] = described.operationId.split("_");
      const isMain = id === described.operationId;
      const known = found.get(id);
      const forms = isMain ? [path, ...(known?.forms ?? [])] : [...(known?.forms ?? []), path];
      const main = isMain ? path : (known?.path ?? path);
      const content = described.requestBody?.content ?? {};
      found.set(id, {
        id,
        method: method.toUpperCase(),
        path: main,
        forms,
        access: accessOf(described),
        ids: [...main.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        json: content["application/json"]?.schema,
        takesForm: "multipart/form-data" in content,
        takesFields: "application/x-www-form-urlencoded" in content,
      });
    }
  return [...found.values()];
}

function accessOf({ security, responses }: Described): Access {
  if (security.length === 0) return "public";
  return responses[403]?.description.includes("administer") === true ? "admin" : "key";
}
