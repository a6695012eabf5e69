import { describe, expect, it } from "vitest";
import type { JsonObject } from "../contract/json.ts";
import { cachePoints, withCacheMarks } from "./cache-marks.ts";

const mark = { type: "ephemeral" };
const marks = (data: object, points: unknown, isChat = true): JsonObject =>
  Object.fromEntries(withCacheMarks(data as JsonObject, cachePoints(points), isChat));
const text = (said: string, more = {}) => ({ type: "text", text: said, ...more });

describe("cache_control_injection_points", () => {
  const messages = [
    { role: "system", content: "Be kind" },
    { role: "user", content: [text("a"), text("b")] },
    { role: "assistant", content: "c" },
    { role: "user", content: "d" },
  ];

  it("marks the messages of a role", () => {
    expect(marks({ messages }, [{ location: "message", role: "system" }])).toEqual({
      messages: [
        { role: "system", content: [text("Be kind", { cache_control: mark })] },
        ...messages.slice(1),
      ],
    });
  });

  it.each([
    [-1, 3],
    [3, 3],
    ["-3", 1],
  ])("marks the message at %s", (index, at) => {
    const { messages: changed } = marks({ messages }, [{ index, control: { type: "ephemeral", ttl: "1h" } }]);
    for (const [where, message] of (changed as object[]).entries())
      expect(JSON.stringify(message).includes('"ttl":"1h"')).toBe(where === at);
  });

  it("marks assistants beside their content in chat completions, and on it in Messages", () => {
    const point = [{ role: "assistant" }];
    expect((marks({ messages }, point).messages as object[])[2]).toEqual({
      ...messages[2],
      cache_control: mark,
    });
    expect((marks({ messages }, point, false).messages as object[])[2]).toEqual({
      role: "assistant",
      content: [text("c", { cache_control: mark })],
    });
  });

  it("marks the system's words of Messages where they stand", () => {
    expect(marks({ system: "Be kind", messages: [] }, [{ role: "system" }], false)).toEqual({
      system: [text("Be kind", { cache_control: mark })],
    });
  });

  it("leaves room for the caller's own marks, and begins with the latest", () => {
    const own = { role: "user", content: [text("own", { cache_control: mark })] };
    const many = Array.from({ length: 9 }, (_, at) => ({ role: "user", content: `${at}` }));
    const { messages: changed } = marks({ messages: [own, ...many] }, [{ role: "user" }]);
    const marked = (changed as object[]).map((message) => JSON.stringify(message).includes("cache_control"));
    expect(marked.map((is, at) => (is ? at : -1)).filter((at) => at >= 0)).toEqual([0, 7, 8, 9]);
  });

  it.each([
    [undefined],
    ["system"],
    [[{ location: "tool_config" }]],
    [[{ role: 5 }]],
    [[{ index: "x" }]],
    [[{ index: 9 }]],
    [[null]],
  ])("changes nothing for %j", (points) => {
    expect(marks({ messages }, points)).toEqual({});
  });

  it("marks the system's words once however often they are pointed to", () => {
    const points = Array.from({ length: 4 }, () => ({ role: "system" }));
    const said = { system: "Be kind", messages: [{ role: "user", content: "d" }] };
    expect(marks(said, [...points, { role: "user" }], false)).toHaveProperty("messages");
  });

  // Each point beside each message would take minutes.
  it.each([
    [(at: number) => ({ role: `r${at}` })],
    [() => ({ role: "user" })],
    [(at: number) => ({ role: "user", index: at })],
    [(at: number) => ({ index: at % 2 === 0 ? -1 : "3" })],
  ])("finds %s in many messages, however many points there are", (point) => {
    const blank = Array.from({ length: 200_000 }, () => ({ role: "user", content: " " }));
    const points = Array.from({ length: 200_000 }, (_, at) => point(at));
    expect(marks({ messages: blank }, points)).toEqual({});
  });

  it("changes nothing of what has no words or no messages", () => {
    for (const data of [{}, { messages: "x" }, { messages: [null, { role: "user", content: " " }] }])
      expect(marks(data, [{ role: "user" }])).toEqual({});
  });
});
