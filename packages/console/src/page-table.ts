/** The pages, in the order of the menu; some are for those who administer. */
export const PAGES = [
  { path: "/", title: "Overview" },
  { path: "/requests", title: "Requests" },
  { path: "/sessions", title: "Sessions" },
  { path: "/models", title: "Models" },
  { path: "/keys", title: "Keys" },
  { path: "/teams", title: "Teams" },
  { path: "/users", title: "Users", administrators: true },
  { path: "/batches", title: "Batches" },
  { path: "/videos", title: "Videos" },
  { path: "/agents", title: "Agents" },
  { path: "/playground", title: "Playground" },
  { path: "/configuration", title: "Configuration", administrators: true },
  { path: "/audit", title: "Audit log", administrators: true },
] as const satisfies readonly { path: string; title: string; administrators?: true }[];

export type PagePath = (typeof PAGES)[number]["path"];
export type PageTitle = (typeof PAGES)[number]["title"];
