import type { Route } from "./api/may.ts";

/** The pages, in the order of the menu; some are for those alone whose roles may ask for what they show. */
export const PAGES = [
  { path: "/", title: "Overview" },
  { path: "/requests", title: "Requests" },
  { path: "/sessions", title: "Sessions" },
  { path: "/models", title: "Models" },
  { path: "/keys", title: "Keys" },
  { path: "/teams", title: "Teams" },
  { path: "/users", title: "Users", needs: "GET /user/list" },
  { path: "/budgets", title: "Budgets", needs: "GET /budget/list" },
  { path: "/batches", title: "Batches" },
  { path: "/videos", title: "Videos" },
  { path: "/agents", title: "Agents" },
  { path: "/playground", title: "Playground" },
  { path: "/configuration", title: "Configuration", needs: "GET /ui/configuration" },
  { path: "/audit", title: "Audit log", needs: "GET /audit" },
] as const satisfies readonly { path: string; title: string; needs?: Route }[];

export type PagePath = (typeof PAGES)[number]["path"];
export type PageTitle = (typeof PAGES)[number]["title"];
