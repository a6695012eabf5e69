import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * The links of a built site that lead nowhere, to pages, files and places on a page.
 * @param folder of the site
 * @param base the path below which it will lie
 * @returns `page: link`, each
 */
export function deadLinks(folder: string, base: string): string[] {
  const pages = globSync("**/*.html", { cwd: folder }).filter((page) => !page.startsWith("playground/"));
  const places = new Map<string, ReadonlySet<string>>();
  const placesOf = (file: string): ReadonlySet<string> => {
    const known = places.get(file) ?? valuesOf("id", readFileSync(file, "utf8"));
    places.set(file, known);
    return known;
  };
  return pages.flatMap((page) => {
    const here = new URL(base + page, "http://site");
    return [...valuesOf("(?:href|src)", readFileSync(join(folder, page), "utf8"))]
      .filter((link) => {
        const url = new URL(link, here);
        if (url.origin !== here.origin) return false;
        if (!url.pathname.startsWith(base)) return true;
        const file = fileAt(folder, decodeURIComponent(url.pathname.slice(base.length)));
        if (file === undefined) return true;
        return url.hash !== "" && !placesOf(file).has(decodeURIComponent(url.hash.slice(1)));
      })
      .map((link) => `${page}: ${link}`);
  });
}

function fileAt(folder: string, path: string): string | undefined {
  const ways = [path, `${path}.html`, join(path, "index.html")].map((way) => join(folder, way));
  return ways.find((way) => existsSync(way) && statSync(way).isFile());
}

function valuesOf(name: string, html: string): Set<string> {
  const found = html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"));
  return new Set([...found].map(([, value]) => value!.replaceAll("&amp;", "&").replaceAll("&#39;", "'")));
}
