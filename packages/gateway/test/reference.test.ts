import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { copyOf } from "./features/without-feature.ts";
import { apiPage, groupsOf } from "./reference/api-page.ts";
import { providersPage } from "./reference/providers-page.ts";
import { spawnTestGateway } from "./support/gateway.ts";

const docs = resolve(import.meta.dirname, "../../../docs/gateway");
const run = promisify(execFile);

it("lists the fields of every endpoint", async () => {
  const groups = await groupsOf(resolve(import.meta.dirname, "../src"));
  await expect(apiPage(groups)).toMatchFileSnapshot(join(docs, "api.md"));
});

it("says of every provider what its code does", async () => {
  await expect(providersPage()).toMatchFileSnapshot(join(docs, "providers.md"));
});

/** Where a field is added, and what becomes of it: an operation's path and the type of its body. */
const schemas = [
  ["batches", "export const createBatch = given({", "/v1/batches", "application/json"],
  ["files", "export const uploadForm = object({", "/v1/files", "multipart/form-data"],
  ["conversations", "export const createConversation = given({", "/v1/conversations", "application/json"],
] as const;

it("shows a field that is added to a schema.ts in the check, in /openapi.json and in the docs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portico-field-"));
  try {
    const copy = copyOf(folder);
    for (const [feature, place] of schemas) {
      const file = join(copy, "src/features", feature, "schema.ts");
      const text = readFileSync(file, "utf8");
      expect([feature, text.split(place).length]).toEqual([feature, 2]);
      const field = `added_by_a_test: { type: "string", enum: ["red", "blue"], description: "Its colour." },`;
      writeFileSync(file, text.replace(place, `${place}\n  ${field}`));
    }
    const fromSource = `--import=${resolve(import.meta.dirname, "support/from-source.ts")}`;
    const gateway = await spawnTestGateway({ program: [fromSource, join(copy, "src/main.ts")] });
    try {
      const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
        paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
      };
      for (const [feature, , path, type] of schemas) {
        const { schema } = document.paths[path]!.post.requestBody.content[type]!;
        expect([feature, JSON.stringify(schema)]).toEqual([
          feature,
          expect.stringContaining("added_by_a_test"),
        ]);
        const answer = await fetch(gateway.url + path, {
          method: "POST",
          headers: {
            authorization: `Bearer ${gateway.masterKey}`,
            ...(type === "application/json" ? { "content-type": type } : {}),
          },
          body: type === "application/json" ? JSON.stringify(bodyFor(feature)) : formWithGreen(),
        });
        expect([feature, answer.status, await answer.json()]).toEqual([
          feature,
          400,
          { error: expect.objectContaining({ param: "added_by_a_test" }) },
        ]);
      }
    } finally {
      await gateway.close();
    }
    const written = join(folder, "api.md");
    await run(process.execPath, [
      resolve(import.meta.dirname, "reference/run.ts"),
      join(copy, "src"),
      written,
    ]);
    const rows = readFileSync(written, "utf8").match(
      /^\| `added_by_a_test` \| .*red.*blue.* \| Its colour\. \|$/gm,
    );
    expect(rows).toHaveLength(schemas.length);
    expect(readFileSync(join(docs, "api.md"), "utf8")).not.toContain("added_by_a_test");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What fits but for the new field. */
function bodyFor(feature: string): object {
  const wrong = { added_by_a_test: "green" };
  if (feature !== "batches") return wrong;
  const endpoint = "/v1/chat/completions";
  return { input_file_id: "file-1", endpoint, completion_window: "24h", ...wrong };
}

function formWithGreen(): FormData {
  const form = new FormData();
  form.set("purpose", "user_data");
  form.set("added_by_a_test", "green");
  form.set("file", new Blob(["x"]), "x.txt");
  return form;
}
