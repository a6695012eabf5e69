import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyOperation, startWholeGateway } from "./rules/everything.ts";
import { MASTER_KEY, type TestGateway } from "./support/gateway.ts";

const read = (await everyOperation()).filter(({ method }) => method === "GET");
const isOpen = ({ access }: (typeof read)[number]) => access === "public";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startWholeGateway();
});
afterAll(() => gateway?.close());

const ask = (path: string, method: string) =>
  fetch(`${gateway.url}${path.replaceAll(/\{[^}]*\}/g, "any1")}`, {
    method,
    redirect: "manual",
    headers: { authorization: `Bearer ${MASTER_KEY}` },
  });

describe("HEAD", () => {
  it.each(read.filter(isOpen))("of $path is GET without the body", async ({ path }) => {
    const [got, head] = [await ask(path, "GET"), await ask(path, "HEAD")];
    expect(head.status).toBe(got.status);
    expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
    expect(await head.text()).toBe("");
    await got.body?.cancel();
    const refused = await ask(path, "PATCH");
    expect([refused.status, refused.headers.get("allow")]).toEqual([
      405,
      expect.stringContaining("GET, HEAD"),
    ]);
  });

  it.each(read.filter((operation) => !isOpen(operation)))(
    "of $path, which needs a key, is refused",
    async ({ path }) => {
      expect((await ask(path, "HEAD")).status).toBe(405);
    },
  );
});
