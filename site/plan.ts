/** A page of the site: the file that it is made of, and its address without the leading slash. */
export interface PlannedPage {
  readonly source: string;
  readonly route: string;
  /** In the menu. */
  readonly title: string;
}

/** Pages below one heading of a menu. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly PlannedPage[];
}

/** Part of the site with a menu of its own; its pages begin with its route. */
export interface SitePart {
  readonly title: string;
  readonly route: string;
  readonly groups: readonly PageGroup[];
}

function group(
  title: string,
  folder: string,
  route: string,
  pages: Readonly<Record<string, string>>,
): PageGroup {
  return {
    title,
    pages: Object.entries(pages).map(([name, title]) => ({
      source: `${folder}/${name}.md`,
      route: `${route}/${name.replace("README", "index")}`,
      title,
    })),
  };
}

const page = (source: string, route: string, title: string): PlannedPage => ({ source, route, title });

/** Pages that are written from the code and become a page for each of their sections, below a route of their own. */
export const divided: Readonly<Record<string, Omit<PlannedPage, "source">>> = {
  "docs/gateway/providers.md": { route: "portico/providers", title: "Providers" },
  "docs/gateway/api.md": { route: "portico/api", title: "Endpoints" },
};

/** Every page of the site but the first one, the decisions and those that are divided. */
export const parts: readonly SitePart[] = [
  {
    title: "Portico",
    route: "portico",
    groups: [
      {
        title: "Start",
        pages: [
          page("packages/gateway/README.md", "portico/index", "What it is"),
          page("docs/gateway/clients.md", "portico/clients", "Connect agents and clients"),
          page("docs/gateway/concepts.md", "portico/concepts", "Concepts"),
          page("docs/gateway/switching.md", "portico/switching", "Coming from LiteLLM"),
          page("docs/configuration.md", "portico/configuration", "Configuration"),
        ],
      },
      group("Use", "docs/gateway", "portico", {
        responses: "Responses on any model",
        batches: "Files and batches",
        videos: "Videos",
        agents: "Agents",
        hooks: "Hooks",
        "pass-through": "Pass-through",
        "litellm-client": "LiteLLM's own clients",
      }),
      group("Run", "docs/gateway", "portico", {
        operations: "Running Portico",
        "keys-and-budgets": "Keys, teams and budgets",
        console: "The console",
        "monitoring/README": "Alerts and dashboard",
        "sign-in": "Signing in",
        roles: "Who may manage what",
      }),
      group("Figures and proofs", "docs/gateway", "portico", {
        benchmarks: "Benchmarks",
        speed: "Where each microsecond goes",
        "speed-paths": "Paths for speed alone",
        sizes: "Many keys and spend rows",
        conformance: "Conformance",
        "a2a-conformance": "The A2A conformance kit",
        rules: "Which rule holds where",
      }),
    ],
  },
  {
    title: "Jetblack",
    route: "jetblack",
    groups: [
      {
        title: "Start",
        pages: [
          page("packages/formatter/README.md", "jetblack/index", "What it is"),
          page("docs/formatter/switching.md", "jetblack/switching", "Coming from Black or Ruff"),
          page("docs/formatter/editors.md", "jetblack/editors", "Editors, hooks and the browser"),
          page("docs/formatter/options.md", "jetblack/options", "Options"),
        ],
      },
      {
        title: "Packages",
        pages: [
          page("packages/formatter/python/README.md", "jetblack/python", "For Python"),
          page("packages/prettier-plugin/README.md", "jetblack/prettier-plugin", "For Prettier"),
          page("packages/vscode/README.md", "jetblack/vscode", "For Visual Studio Code"),
          page("packages/jupyterlab/README.md", "jetblack/jupyterlab", "For JupyterLab"),
        ],
      },
      group("Figures and proofs", "docs/formatter", "jetblack", {
        benchmarks: "Speed",
        "start-up": "Until five lines are formatted",
        "speed-paths": "Code for speed alone",
        conformance: "Identical to Black",
        deviations: "Where it differs",
      }),
    ],
  },
  {
    title: "Project",
    route: "project",
    groups: [
      {
        title: "Project",
        pages: [
          page("CHANGELOG.md", "project/changelog", "Changes"),
          page("SECURITY.md", "project/security", "Security"),
          page("CONTRIBUTING.md", "project/contributing", "Contributing"),
          page("docs/architecture.md", "project/architecture", "Architecture"),
          page("packages/simulator/README.md", "project/simulator", "The simulator"),
          page("docs/decisions/README.md", "project/decisions/index", "Decisions"),
        ],
      },
    ],
  },
];

export const plannedPages: readonly PlannedPage[] = parts.flatMap(({ groups }) =>
  groups.flatMap(({ pages }) => pages),
);
