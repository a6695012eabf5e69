import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDataFolder, NO_DATA } from "../conformance/data-folder.ts";
import { deviations } from "./edge-cases/deviations.ts";
import { parseEdgeCases } from "./edge-cases/parse-edge-cases.ts";
import { Sandbox } from "./sandbox.ts";

const data = findDataFolder();
const report = data === undefined ? undefined : join(data, "edge-cases.md");
const cases = report !== undefined && existsSync(report) ? parseEdgeCases(readFileSync(report, "utf8")) : [];
/** Times, the program's name and the order of messages of parallel work do not count. */
function normalize(text: string, folder: string): string {
  return text
    .replaceAll(folder, "<CWD>")
    .replaceAll("jetblack", "black")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00/g, "<time>");
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .sort();

const hasCases = cases.length > 0;
const title = "recorded runs of Black's command line";

describe.skipIf(!hasCases)(hasCases ? title : `${title}: ${NO_DATA}`, () => {
  test("every deviation belongs to a recorded run and has a reason", () => {
    const titles = cases.map((edge) => edge.title);
    for (const [title, deviation] of Object.entries(deviations)) {
      expect(titles).toContain(title);
      expect(deviation.reason).not.toBe("");
    }
  });

  test.each(cases.map((edge) => [edge.title, edge] as const))("%s", (title, edge) => {
    const own = new Sandbox();
    try {
      for (const [path, contents] of edge.files) own.write(path, contents);
      if (edge.preparation !== undefined) own.prepare(edge.preparation);
      const result = own.run(edge.args, {
        env: edge.environment,
        obeysPermissions: edge.preparation?.includes("chmod") ?? false,
        ...(edge.stdin === undefined ? {} : { input: edge.stdin }),
      });
      const deviation = deviations[title];
      const differs = (what: "output" | "messages" | "files"): boolean =>
        deviation?.differs.includes(what) ?? false;
      const actual = {
        exitCode: result.exitCode,
        stdout: differs("output") ? "" : normalize(result.stdout, own.folder),
        stderr: differs("messages") ? [] : lines(normalize(result.stderr, own.folder)),
      };
      expect(actual).toEqual({
        exitCode: deviation?.exitCode ?? edge.exitCode,
        stdout: differs("output") ? "" : normalize(edge.stdout, "<CWD>"),
        stderr: differs("messages") ? [] : lines(normalize(edge.stderr, "<CWD>")),
      });
      if (differs("files")) return;
      for (const [path, contents] of edge.after) {
        const found = readFileSync(join(own.folder, path));
        expect(found.toString("latin1")).toBe(contents.toString("latin1"));
      }
    } finally {
      own.remove();
    }
  });
});
