import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { until } from "../../../test/support/until.ts";
import { openOtlpExporter } from "./otlp-exporter.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Each answers in its own way, and closes no connection by itself. */
const hosts: Record<string, RequestListener> = {
  "answers at once": (_, response) => response.end(),
  "never answers": () => {},
  "never ends its answer": (_, response) => response.writeHead(200).flushHeaders(),
  "answers byte by byte": (_, response) => {
    const drip = setInterval(() => response.write("x"), 10);
    ends.push(() => clearInterval(drip));
  },
  "refuses for now": (_, response) => response.writeHead(503).end(),
  "sends it elsewhere": (_, response) => response.writeHead(307, { location: "/elsewhere" }).end(),
};

it.each(Object.keys(hosts))("ends with no connection to a stranger's place that %s", async (what) => {
  const open = new Set<Socket>();
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url!);
    hosts[what]!(request.resume(), response);
  });
  server.keepAliveTimeout = 0;
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const exporter = await openOtlpExporter(
    "TRACES",
    { name: "otel", url, headers: {} },
    { OTEL_EXPORTER_OTLP_TIMEOUT: "200" },
    pino({ level: "silent" }),
    "spans",
    "any",
  );
  exporter.export([], () => {});
  await until(() => paths.length > 0);
  await exporter.shutdown();
  await until(() => open.size === 0);
  expect(new Set(paths)).toEqual(new Set(["/v1/traces"]));
});
