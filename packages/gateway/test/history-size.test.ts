import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { describeOnEachStore } from "./support/stores.ts";

/** A request takes 1 MiB, and so do what it continues and what it names. */
const LARGE = "a".repeat(400_000);

describeOnEachStore(
  "What a response continues",
  (opener) => {
    let simulator: Simulator;
    let gateway: TestGateway;
    beforeAll(async () => {
      simulator = await startSimulator();
      gateway = await startTestGateway({
        config: `
model_list:
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${simulator.url}/anthropic", api_key: k}}
general_settings:
  master_key: ${MASTER_KEY}
  max_request_size_mb: 1
  ${opener.url === undefined ? "" : `database_url: "${opener.url}"`}
`,
      });
    });
    afterAll(async () => {
      await gateway?.close();
      await simulator?.close();
    });

    const ask = (body: object) => gateway.call("/v1/responses", { body: { model: "claude", ...body } });
    const tooLarge = async (response: Promise<Response>, what: string): Promise<void> => {
      const answer = await response;
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining(what)]);
    };
    const askedOf = async (): Promise<number> => {
      const { requests } = (await (await fetch(`${simulator.url}/_admin/requests`)).json()) as {
        requests: unknown[];
      };
      return requests.length;
    };

    it("is no larger than a request, in a chain of responses", async () => {
      let previous: string | undefined;
      for (let turn = 0; turn < 3; turn += 1) {
        const { id } = await gateway.must("/v1/responses", {
          ...{ model: "claude", input: LARGE, mock_response: "yes" },
          ...(previous === undefined ? {} : { previous_response_id: previous }),
        });
        previous = id as string;
      }
      const before = await askedOf();
      await tooLarge(ask({ input: "hi", previous_response_id: previous }), "larger than 1 MiB");
      await tooLarge(ask({ input: "hi", previous_response_id: previous, mock_response: "x" }), "1 MiB");
      expect(await askedOf()).toBe(before);
    });

    it("nor in a conversation, which nobody fills further", async () => {
      const { id } = await gateway.must("/v1/conversations", {});
      const items = [{ type: "message", role: "user", content: LARGE }];
      await gateway.must(`/v1/conversations/${id}/items`, { items });
      await gateway.must("/v1/responses", { model: "claude", input: "hi", conversation: id });
      await gateway.must(`/v1/conversations/${id}/items`, { items });
      await tooLarge(gateway.call(`/v1/conversations/${id}/items`, { body: { items } }), "begin another one");
      // What was asked before the conversation was full is kept.
      await gateway.must("/v1/responses", { model: "claude", input: LARGE, conversation: id });
      await tooLarge(ask({ input: "hi", conversation: id }), "larger than 1 MiB");
    });

    it("nor in items that are named, as often as they are", async () => {
      const { id } = await gateway.must("/v1/responses", { model: "claude", input: LARGE });
      const listed = await gateway.must(`/v1/responses/${id}/input_items`, undefined, { method: "GET" });
      const named = { type: "item_reference", id: (listed.data as { id: string }[])[0]!.id };
      const many = (count: number) => Array.from({ length: count }, () => named);
      expect((await ask({ input: many(2) })).status).toBe(200);
      await tooLarge(ask({ input: many(3) }), "named by their ids");
      await tooLarge(ask({ input: many(5000) }), "named by their ids");
      const others = Array.from({ length: 1001 }, (_, at) => ({ type: "item_reference", id: `msg_${at}` }));
      expect((await ask({ input: others })).status).toBe(400);
    });
  },
  "the suite",
);
