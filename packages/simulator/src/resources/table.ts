import { type Field, parseShape } from "./shape.ts";

/** What can be done with the objects of a collection. */
export type Can = "create" | "list" | "get" | "update" | "patch" | "put" | "delete";

/** An operation of its own on one object of a collection: what it changes, or what it answers instead. */
export interface Action {
  readonly method: string;
  readonly name: string;
  readonly fields: readonly Field[];
}

/** Objects that are made, listed, changed and deleted at one path. */
export interface Collection {
  readonly path: string;
  readonly can: ReadonlySet<Can>;
  /** Members without which nothing is made. */
  readonly needs: readonly string[];
  readonly prefix: string;
  readonly fields: readonly Field[];
  /** What is answered once one is deleted; the object itself where undefined. */
  readonly deleted: readonly Field[] | undefined;
  /** Members that only the answer to `create` shows, such as a secret. */
  readonly once: readonly Field[];
  readonly actions: readonly Action[];
}

/** An operation that keeps nothing: it answers with a shape, an empty page, bytes, or nothing. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly answer: readonly Field[] | "page" | "binary" | "empty";
}

/**
 * Reads a table of resources. `/path create list get delete needs=name id=vs_` opens a collection: the shape of its objects
 * follows, then `CREATE` with members shown only once, `DELETE` with the shape of that answer, and actions on one object
 * (`POST cancel status=cancelled`).
 * `POST /path` opens an operation that keeps nothing, whose answer follows.
 */
export function readTable(text: string): (Collection | Operation)[] {
  const blocks = text.trim().split(/\n(?=\S)/);
  return blocks.map((block) => {
    const [head = "", ...lines] = block.split("\n").map((line) => line.trim());
    try {
      return head.startsWith("/") ? collection(head, lines) : operation(head, lines);
    } catch (error) {
      throw new Error(`${head}: ${(error as Error).message}`);
    }
  });
}

function operation(head: string, [answer = ""]: string[]): Operation {
  const [method = "", path = ""] = head.split(" ");
  const word = answer === "page" || answer === "binary" || answer === "empty" ? answer : undefined;
  return { method, path, answer: word ?? parseShape(answer) };
}

function collection(head: string, [shape = "", ...more]: string[]): Collection {
  const [path = "", ...words] = head.split(" ");
  const option = (name: string): string | undefined =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const after = (word: string): string | undefined =>
    more.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const gone = after("DELETE");
  return {
    path,
    can: new Set(words.filter((word) => !word.includes("=")) as Can[]),
    needs: option("needs")?.split(",") ?? [],
    prefix: option("id") ?? `${path.split("/").at(-1)?.replace(/s$/, "")}_`,
    fields: parseShape(shape),
    deleted: gone === undefined || gone === "same" ? undefined : parseShape(gone),
    once: parseShape(after("CREATE") ?? ""),
    actions: more
      .filter((line) => !/^(CREATE|DELETE) /.test(line))
      .map((line) => {
        const [method = "", name = "", ...sets] = line.split(" ");
        return { method, name, fields: parseShape(sets.join(" ")) };
      }),
  };
}
