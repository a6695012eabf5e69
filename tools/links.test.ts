import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const workspace = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync("**/*.md", {
  cwd: workspace,
  exclude: (path) => /(?:^|[\\/])(?:node_modules|dist)$/.test(path),
});

/** What GitHub makes of a heading in an address. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

function anchorsOf(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ +(.*)$/gm)].map((match) => anchor(match[1]!));
}

/** Links and pictures that lead into the workspace: what they say and where they go. */
function linksOf(page: string): { link: string; path: string; section: string | undefined }[] {
  const text = readFileSync(join(workspace, page), "utf8");
  const found = [
    ...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
    ...text.matchAll(/\b(?:src|srcset)="(?![a-z]+:)([^"\s]+)"/g),
  ];
  return found.map(([link, path, section]) => ({
    link,
    path: path === "" ? join(workspace, page) : resolve(workspace, dirname(page), path!),
    section,
  }));
}

describe("links between the documents", () => {
  test("there are some", () => {
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(10);
  });

  test.each(pages)("of %s lead somewhere", (page) => {
    for (const { link, path, section } of linksOf(page)) {
      expect(existsSync(path), link).toBe(true);
      if (section !== undefined) expect(anchorsOf(path), link).toContain(section);
    }
  });
});
