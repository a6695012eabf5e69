import { describe, expect, it } from "vitest";
import type { Route } from "../../contract/exchange.ts";
import { RouteTable } from "./route-table.ts";

const handler: Route["handler"] = async () => ({ status: 200, body: "" });
const route = (path: string, more: Partial<Route> = {}): Route => {
  return { method: "GET", path, access: "key", family: "openai", callType: "test", handler, ...more };
};
const found = (routes: readonly Route[], path: string) =>
  new RouteTable(routes).find("GET", path)?.route.path;

describe("RouteTable", () => {
  it("finds the first route that has parameters", () => {
    expect(found([route("/a/*")], "/a/b")).toBe("/a/*");
  });

  it("asks routes of last resort after all others, in whichever order they come", () => {
    const last = route("/a/*", { isLastResort: true });
    for (const routes of [
      [last, route("/a/b"), route("/:any/c")],
      [route("/:any/c"), route("/a/b"), last],
    ]) {
      expect(found(routes, "/a/b")).toBe("/a/b");
      expect(found(routes, "/a/c")).toBe("/:any/c");
      expect(found(routes, "/a/d")).toBe("/a/*");
      expect(found(routes, "/b/d")).toBeUndefined();
    }
  });

  it("tells an unknown word from an id and from a path of its own", () => {
    const table = new RouteTable([route("/videos/:id"), route("/videos/list"), route("/all/*")]);
    const words = ["edits", "video_to_video", "list", "video_12", "0b1c", "sora-2"];
    expect(words.filter((word) => table.endsInUnknownWord(`/videos/${word}`))).toEqual([
      "edits",
      "video_to_video",
    ]);
    expect(["/all/edits", "/all/a_1"].map((path) => table.endsInUnknownWord(path))).toEqual([true, false]);
  });

  it("lets a route give way where there is a last resort", () => {
    const yielding = route("/:any/c", { givesWay: ({ any }) => any === "a" });
    expect(found([yielding], "/a/c")).toBe("/:any/c");
    const routes = [yielding, route("/a/*", { isLastResort: true })];
    expect([found(routes, "/a/c"), found(routes, "/b/c")]).toEqual(["/a/*", "/:any/c"]);
  });
});
