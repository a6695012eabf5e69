import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { MASTER_KEY, startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

it("Endpoints of the configuration are what the file says by now: those that it leaves out are gone, and old credentials with them", async () => {
  const heard: (string | undefined)[] = [];
  const target = createServer((request, response) => {
    heard.push(request.headers["x-cred"] as string | undefined);
    request.resume().on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await new Promise((ready) => target.once("listening", ready));
  const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  const at = (path: string, cred: string) => ({ path, target: address, headers: { "x-cred": cred } });
  const configOf = (...endpoints: object[]) => `model_list: []
general_settings: ${JSON.stringify({ master_key: MASTER_KEY, pass_through_endpoints: endpoints })}
`;
  const own = await startTestGateway({ config: configOf(at("/kept", "old"), at("/gone", "old")) });
  try {
    const statusOf = async (path: string) => (await own.call(path, { body: {} })).status;
    expect([await statusOf("/kept"), await statusOf("/gone"), heard]).toEqual([200, 200, ["old", "old"]]);
    own.writeConfig(configOf(at("/kept", "new")));
    await until(async () => (await statusOf("/gone")) === 404);
    heard.splice(0);
    expect([await statusOf("/kept"), heard]).toEqual([200, ["new"]]);
  } finally {
    await own.close();
    target.close();
    target.closeAllConnections();
  }
});
