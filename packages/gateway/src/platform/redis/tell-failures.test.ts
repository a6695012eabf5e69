import { Redis } from "ioredis";
import { pino } from "pino";
import { expect, it } from "vitest";
import { tellFailures } from "./tell-failures.ts";

it.each([
  ["redis://:s3cret@redis.example:6380/2", "redis.example:6380"],
  ["rediss://someone:s3cret@redis.example", "redis.example:6379"],
  ["redis://[::1]:7000", "::1:7000"],
  ["/run/redis.sock", "/run/redis.sock"],
])("A failure of %s is told by its address, without its password", (url, address) => {
  const lines: string[] = [];
  const redis = new Redis(url, { lazyConnect: true });
  tellFailures(redis, pino({}, { write: (line: string) => lines.push(line) }), "it does not answer");
  const refused = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" });
  for (const error of [new Error("closed"), refused]) redis.emit("error", error);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { address, error: "closed", msg: "it does not answer" },
    { address, error: "ECONNREFUSED", msg: "it does not answer" },
  ]);
  expect(lines.join("")).not.toContain("s3cret");
  redis.disconnect();
});
