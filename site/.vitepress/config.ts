import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { slug } from "github-slugger";
import { type DefaultTheme, defineConfig } from "vitepress";
import { divided, type PageGroup, parts } from "../plan.ts";

const link = (route: string): string => `/${route.replace(/index$/, "")}`;

function itemsOf({ title, pages }: PageGroup): DefaultTheme.SidebarItem {
  return { text: title, items: pages.map((page) => ({ text: page.title, link: link(page.route) })) };
}

const listed: DefaultTheme.SidebarItem[] = Object.values(divided).map(({ route, title }) => ({
  text: title,
  collapsed: true,
  items: [
    { text: "All of them", link: `/${route}/` },
    ...globSync(`${route}/*.md`, { cwd: join(import.meta.dirname, "../dist/pages") })
      .map((file) => basename(file, ".md"))
      .filter((name) => name !== "index")
      .sort()
      .map((name) => ({ text: name.replaceAll("-", " "), link: `/${route}/${name}` })),
  ],
}));

/** Where VitePress's own colours have less contrast than WCAG's 4.5:1: names of code's languages, brand buttons. */
const CONTRAST = `:root { --vp-button-brand-bg: var(--vp-c-brand-1); --vp-code-lang-color: var(--vp-c-text-2); }
.dark { --vp-button-brand-bg: var(--vp-c-brand-3); }
.vp-doc div[class*="language-"] > span.lang { color: var(--vp-c-text-2); }`;

/** The site, below the address in `SITE_BASE` (`/` where there is none). */
export default defineConfig({
  title: "Portico and Jetblack",
  description:
    "A gateway in front of AI model providers, and a Python formatter that writes what Black writes.",
  base: process.env.SITE_BASE ?? "/",
  lang: "en",
  srcDir: "dist/pages",
  outDir: "dist/site",
  cacheDir: "dist/cache",
  // The playground is built beside the pages.
  ignoreDeadLinks: [/^\/playground\//],
  head: [["style", {}, CONTRAST]],
  markdown: {
    anchor: { slugify: slug },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  // The index of the search is one file, which is loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 5000 } },
  themeConfig: {
    nav: [
      ...parts.map(({ title, groups, route }) => ({
        text: title,
        link: link(groups[0]!.pages[0]!.route),
        activeMatch: `^/${route}/`,
      })),
      { text: "Playground", link: "/playground/", target: "_self" },
    ],
    sidebar: Object.fromEntries(
      parts.map(({ route, groups }) => [
        `/${route}/`,
        [...groups.map(itemsOf), ...(route === "portico" ? listed : [])],
      ]),
    ),
    outline: [2, 3],
    search: { provider: "local" },
  },
});
