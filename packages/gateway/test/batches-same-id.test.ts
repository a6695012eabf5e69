import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { BLUE_KEY, RED_KEY, TEAM_KEYS } from "./support/resources.ts";

/** Accounts count their batches each for itself: the ids of one are those of the other, too. */

const ACCOUNTS = ["one", "two"] as const;
const OWNERS = { one: RED_KEY, two: BLUE_KEY };
const BATCHES = 6;

let upstream: Server;
let gateway: TestGateway;
/** The ids of the batches that each account has. */
const kept = { one: new Set<string>(), two: new Set<string>() };

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const [, account, , , id] = request.url!.split("/") as [
      string,
      keyof typeof kept,
      string,
      string,
      string?,
    ];
    const batches = kept[account];
    const shown = (name: string): object => ({
      id: name,
      object: "batch",
      status: "in_progress",
      metadata: { account },
    });
    const send = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.method === "POST") {
      await json(request);
      const name = `batch_${batches.size + 1}`;
      batches.add(name);
      send(200, shown(name));
    } else if (id === undefined)
      send(200, { object: "list", data: [...batches].map(shown), has_more: false });
    else if (batches.has(id)) send(200, shown(id));
    else send(404, { error: { message: "There is none" } });
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
});
afterAll(() => {
  upstream?.closeAllConnections();
  upstream?.close();
});

describe.each([
  ["the embedded store", {}],
  ["no store", { DATABASE_URL: "none" }],
])("With %s", (_, environment) => {
  beforeAll(async () => {
    const { port } = upstream.address() as AddressInfo;
    const deployments = ACCOUNTS.map(
      (name) =>
        `  - {model_name: ${name}, litellm_params: {model: openai/gpt-4o, api_key: ${name}, api_base: "http://127.0.0.1:${port}/${name}/v1"}}`,
    );
    gateway = await startTestGateway({
      config: `model_list:
${deployments.join("\n")}
${TEAM_KEYS}
gateway_settings: {enable_loadbalancing_on_batch_endpoints: true}
`,
      environment,
    });
  });
  afterAll(() => gateway?.close());
  beforeEach(async () => {
    for (const model of ACCOUNTS) {
      kept[model].clear();
      for (let count = 0; count < BATCHES; count += 1) {
        const body = {
          model,
          input_file_id: "file-1",
          endpoint: "/v1/chat/completions",
          completion_window: "24h",
        };
        expect((await gateway.call("/v1/batches", { body, key: OWNERS[model] })).status).toBe(200);
      }
    }
  });

  it("asks each account for an id that more than one has given", async () => {
    for (let count = 1; count <= BATCHES; count += 1) {
      const [forgetful, other] = count % 2 === 0 ? ACCOUNTS : ACCOUNTS.toReversed();
      kept[forgetful!].delete(`batch_${count}`);
      const found = await gateway.call(`/v1/batches/batch_${count}`);
      expect([count, found.status]).toEqual([count, 200]);
      expect(await found.json()).toMatchObject({ metadata: { account: other } });
    }
  });

  it("shows in an account's list what was made there, to its owner alone", async () => {
    for (const listed of ACCOUNTS)
      for (const caller of ACCOUNTS) {
        const query = `target_model_names=${listed}`;
        const list = await gateway.call(`/v1/batches?${query}`, { key: OWNERS[caller] });
        const { data } = (await list.json()) as { data: { metadata: { account: string } }[] };
        const accounts = data.map(({ metadata }) => metadata.account);
        expect([listed, caller, accounts]).toEqual([
          listed,
          caller,
          listed === caller ? Array.from({ length: BATCHES }, () => listed) : [],
        ]);
      }
  });
});
