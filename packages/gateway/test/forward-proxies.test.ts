import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { certificateFor } from "./support/certificate.ts";
import { everyProvider, everyProviderConfig } from "./support/every-provider.ts";
import { startTestProxy, type TestProxy } from "./support/forward-proxy.ts";
import {
  MASTER_KEY,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from "./support/gateway.ts";
import { startCollector } from "./support/otlp-collector.ts";
import { startSecureFront } from "./support/secure-front.ts";
import { SocketClient } from "./support/socket-client.ts";
import { until } from "./support/until.ts";

/** The simulator, under names that no resolver knows: whoever reaches it went through the proxy. */
const [SECURE, PLAIN] = ["https://secure.test", "http://plain.test"];
const trusted = getCACertificates("default");
const certificate = certificateFor("secure.test");

let simulator: Simulator;
let hosts: Record<string, number> = {};
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  setDefaultCACertificates([certificate.cert]);
  simulator = await startSimulator({ port: 0 });
  const port = Number(new URL(simulator.url).port);
  const front = await startSecureFront(certificate, port);
  hosts = { "secure.test": front.port, "plain.test": port };
  ends.push(front.close, () => simulator.close());
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  for (const end of ends) await end();
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(
  options: TestGatewayOptions,
  authorization?: string,
): Promise<{ readonly gateway: TestGateway; readonly proxy: TestProxy }> {
  const proxy = await startTestProxy({ hosts, ...(authorization === undefined ? {} : { authorization }) });
  const url = authorization === undefined ? proxy.url : proxy.url.replace("//", "//user:hunter2@");
  const environment = { HTTPS_PROXY: url, http_proxy: url, ...options.environment };
  const gateway = await startTestGateway({ ...options, environment });
  closers.push(() => gateway.close(), proxy.close);
  return { gateway, proxy };
}

describe.each([SECURE!, PLAIN!])("Providers at %s", (url) => {
  it("are asked through the proxy, whole and streamed", async () => {
    const authorization = `Basic ${Buffer.from("user:hunter2").toString("base64")}`;
    const { gateway, proxy } = await open({ config: everyProviderConfig(url) }, authorization);
    for (const model of Object.values(everyProvider)) {
      const before = simulator.received().length;
      const body = { model, messages: [{ role: "user", content: "hello" }] };
      const whole = await gateway.call("/v1/chat/completions", { body });
      expect([model, whole.status]).toEqual([model, 200]);
      await whole.text();
      const streamed = await gateway.call("/v1/chat/completions", { body: { ...body, stream: true } });
      expect(await streamed.text()).toContain("data: [DONE]");
      expect(simulator.received().length).toBeGreaterThan(before);
    }
    const isPlain = url === PLAIN;
    const { host, port } = new URL(url);
    expect(proxy.requests.length).toBeGreaterThan(0);
    for (const { method, target, headers } of proxy.requests) {
      if (isPlain) expect(target).toContain(`http://${host}/`);
      else expect(`${method} ${target}`).toBe(`CONNECT ${host}:${port || 443}`);
      expect(headers["proxy-authorization"]).toBe(authorization);
    }
    expect(gateway.log()).not.toContain("hunter2");
  });

  it("are asked through it for what comes over a WebSocket", async () => {
    const { gateway, proxy } = await open({ config: everyProviderConfig(url) });
    const client = await SocketClient.open(gateway.url, MASTER_KEY);
    closers.unshift(() => client.ws.terminate());
    for (const model of ["gpt-4o", "claude"]) {
      const frames = await client.turn({ model, input: "hello" });
      expect(frames.at(-1)).toMatchObject({ type: "response.completed" });
    }
    expect(proxy.requests.length).toBeGreaterThan(0);
  });

  it("are reached directly where NO_PROXY names them, which here fails", async () => {
    const { gateway, proxy } = await open({
      config: everyProviderConfig(url),
      environment: { NO_PROXY: "10.0.0.0/8, .test" },
    });
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
    expect((await gateway.call("/v1/chat/completions", { body })).status).toBe(502);
    expect(proxy.requests).toEqual([]);
  });

  it("fail with an answer that holds nothing of the proxy's, where it refuses", async () => {
    const proxy = await startTestProxy({ hosts: {}, authorization: "Basic other" });
    closers.push(proxy.close);
    const address = proxy.url.replace("//", "//user:hunter2@");
    const { gateway } = await open({
      config: everyProviderConfig(url),
      environment: { HTTPS_PROXY: address, http_proxy: address },
    });
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
    const answer = await gateway.call("/v1/chat/completions", { body });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain("The provider could not be reached");
    expect(gateway.log()).toContain("status 407");
    expect(gateway.log()).not.toContain("hunter2");
  });
});

it("The file's environment_variables name a proxy, too, and another one after it changes", async () => {
  const first = await startTestProxy({ hosts });
  const second = await startTestProxy({ hosts });
  const naming = ({ url }: TestProxy) =>
    `${everyProviderConfig(SECURE!)}environment_variables: {HTTPS_PROXY: "${url}"}\n`;
  const gateway = await startTestGateway({
    config: naming(first),
    environment: { HTTPS_PROXY: "http://127.0.0.1:1" },
  });
  closers.push(() => gateway.close(), first.close, second.close);
  const ask = async () => {
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
    return (await gateway.call("/v1/chat/completions", { body })).status;
  };
  expect(await ask()).toBe(200);
  expect(first.requests).toHaveLength(1);
  gateway.writeConfig(naming(second));
  await until(async () => (await ask()) === 200 && second.requests.length > 0);
});

it.each(["socks5://u:hunter2@proxy:1080", "http://"])(
  "No gateway starts with HTTPS_PROXY=%s",
  async (value) => {
    const started = startTestGateway({
      config: everyProviderConfig(SECURE!),
      environment: { HTTPS_PROXY: value },
    });
    const error = await started.then(
      ({ close }) => close(),
      (thrown: Error) => thrown,
    );
    expect(String(error)).toContain("the environment variable HTTPS_PROXY must");
    expect(String(error)).not.toContain("hunter2");
  },
);

it("Spans go to a collector through the proxy", async () => {
  const collector = await startCollector();
  closers.push(() => collector.close());
  const port = Number(new URL(collector.url).port);
  const front = await startSecureFront(certificate, port);
  closers.push(front.close);
  for (const [url, target] of [
    ["https://secure.test", "secure.test:443"],
    ["http://collector.test:4318", "collector.test:4318"],
  ] as const) {
    const proxy = await startTestProxy({ hosts: { "secure.test": front.port, "collector.test": port } });
    const before = collector.spans.length;
    const gateway = await startTestGateway({
      config: `model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: k, api_base: "${simulator.url}/openai/v1"}}]
litellm_settings: {callbacks: [otel]}`,
      environment: { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, OTEL_EXPORTER_OTLP_ENDPOINT: url },
    });
    closers.push(proxy.close);
    const body = { model: "m", messages: [{ role: "user", content: "hello" }] };
    expect((await gateway.call("/v1/chat/completions", { body })).status).toBe(200);
    await gateway.close();
    await until(() => collector.spans.length > before);
    expect(proxy.requests[0]).toMatchObject({ method: "CONNECT", target });
  }
});
