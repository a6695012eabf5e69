import { pino } from "pino";
import { expect, it } from "vitest";
import type { OwnCallback } from "../../contract/own-callback.ts";
import type { SealedText } from "../store/sealed-text.ts";
import { OwnDestinations } from "./own-destinations.ts";

/** Where spans came to, and which places were given up. */
function open() {
  const got: string[] = [];
  const ended: string[] = [];
  const own = new OwnDestinations(
    async ({ url }) => ({
      onStart: () => {},
      onEnd: () => void got.push(url),
      forceFlush: async () => {},
      // A host that never answers: what it was sent never ends.
      shutdown: () => {
        ended.push(url);
        return new Promise(() => {});
      },
    }),
    { open: (text: string) => text } as SealedText,
    pino({ level: "silent" }),
    () => false,
  );
  const send = async (owner: string, ...hosts: readonly string[]): Promise<void> => {
    const callbacks = hosts.map(
      (host): OwnCallback => ({
        callback_name: "otel",
        callback_type: "success_and_failure",
        callback_vars: { otel_endpoint: `https://${host}.example` },
      }),
    );
    own.send(owner, callbacks, false, {} as never);
    await new Promise(setImmediate);
  };
  return { got, ended, send };
}

const placeOf = (host: string): string => `https://${host}.example/v1/traces`;
const many = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);

it("takes no other team's place for one with very many destinations", async () => {
  const { got, ended, send } = open();
  await send("green", "green");
  for (const host of many("blue", 300)) await send("blue", host);
  await send("green", "green", "new");
  await send("red", "red");
  expect(got.filter((url) => !url.includes("blue"))).toEqual(
    ["green", "green", "new", "red"].map((host) => placeOf(host)),
  );
  expect(ended.every((url) => url.includes("blue"))).toBe(true);
  expect(new Set(got.filter((url) => url.includes("blue"))).size).toBeLessThanOrEqual(50);
});

it("keeps those of many teams within bounds", async () => {
  const { got, ended, send } = open();
  for (const team of many("team", 300)) await send(team, team);
  expect(new Set(got).size).toBe(200);
  expect(ended).toHaveLength(100);
});
