/** The commands of `litellm-proxy` as they are tried, and those that cannot be. */

/** One call of the command line. */
export interface Tried {
  readonly words: readonly string[];
  /** What somebody types. */
  readonly typed?: string;
  /** Calls with a key of an administrator in place of the master key. */
  readonly asUser?: boolean;
  /** What is expected to be said. */
  readonly says?: RegExp;
}

/** Where and with what the commands work. */
export interface Place {
  readonly url: string;
  readonly key: string;
  /** Another gateway, whose keys are taken. */
  readonly otherUrl: string;
  readonly otherKey: string;
  readonly modelsFile: string;
  readonly userId: string;
  readonly teamId: string;
  readonly modelId: string;
}

/** Every command that speaks to a gateway, in an order in which what is made can be shown and deleted. */
export function commandsIn(place: Place): readonly Tried[] {
  const here = ["--api-key", place.key, "--gateway-url", place.url];
  const { otherUrl, otherKey, modelsFile, userId, teamId, modelId } = place;
  const credential = ["--info", '{"a":"b"}', "--values", '{"api_key":"sk-1234567"}'];
  const source = ["--source-base-url", otherUrl, "--source-api-key", otherKey];
  return [
    { words: ["version"], says: /version/i },
    { words: ["whoami"] },
    { words: ["keys", "generate", "--key-alias", "shell", "--models", "gpt-4o"], says: /sk-/ },
    { words: ["keys", "list", "--format", "json", "--return-full-object"], says: /shell/ },
    { words: ["keys", "list"] },
    { words: ["keys", "import", ...source, "--dry-run"], says: /from-elsewhere/ },
    { words: ["keys", "import", ...source], says: /Failed to import: 0/ },
    { words: ["keys", "delete", "--key-aliases", "shell"], says: /deleted_keys/ },
    { words: ["users", "create", "--email", "bob@example.com", "--max-budget", "3"], says: /bob@/ },
    { words: ["users", "list"], says: /bob@/ },
    { words: ["users", "get", "--id", userId], says: /carl@/ },
    { words: ["teams", "list"], says: /Team/ },
    { words: ["teams", "available"] },
    { words: ["teams", "assign-key", "--team-id", teamId], asUser: true, says: /Successfully assigned/ },
    { words: ["models", "list"], says: /gpt-4o/ },
    { words: ["models", "info"], says: /gpt-4o/ },
    { words: ["models", "add", "shell", "-p", "model=openai/gpt-4o"], says: /shell/ },
    { words: ["models", "get", "--name", "shell"], says: /shell/ },
    { words: ["models", "update", modelId, "-p", "model=openai/gpt-4o-mini"] },
    { words: ["models", "delete", modelId] },
    { words: ["models", "import", modelsFile, "--dry-run"], says: /from-file/ },
    { words: ["models", "import", modelsFile], says: /from-file/ },
    { words: ["model-groups", "list"], says: /claude/ },
    { words: ["credentials", "create", "shell", ...credential] },
    { words: ["credentials", "list"], says: /shell/ },
    { words: ["credentials", "get", "shell"], says: /shell/ },
    { words: ["credentials", "update", "shell", "--display-name", "Shell"] },
    { words: ["credentials", "delete", "shell"] },
    { words: ["http", "request", "GET", "/health/readiness"], says: /status/ },
    { words: ["chat", "gpt-4o"], typed: "hello\n/quit\n", says: /\w/ },
    { words: ["users", "delete", userId] },
    { words: ["config", "set", "base_url", "http://127.0.0.1:4000"] },
    { words: ["config", "get", "base_url"], says: /4000/ },
    { words: ["config", "unset", "base_url"] },
    ...["claude", "codex", "opencode", "pi"].map((words) => ({ words: [words], says: /agent was started/ })),
    ...["configure", "reconfigure"].flatMap((word) => [
      { words: [word, "claude", ...here, "--model", "claude-sonnet-4-5"], says: /Configured Claude/ },
      { words: [word, "codex", ...here, "--model", "gpt-4o"], says: /Configured Codex/ },
    ]),
    { words: ["unconfigure", "claude"] },
    { words: ["unconfigure", "codex"] },
    { words: ["debug", "install-claude-command"], says: /Installed/ },
    { words: ["down"], says: /Nothing to restore/ },
    { words: ["logout"] },
  ];
}

const PROXY = "starts LiteLLM's own proxy on this computer, with a router of its own";
const SIGN_IN = "signs in at LiteLLM's console: `portico login` does here ([sign-in](sign-in.md))";

/** Why the others are not tried, by how they begin. */
export const NOT_TRIED: Readonly<Record<string, string>> = {
  autoroute: PROXY,
  up: "signs in at LiteLLM's console and waits: `configure claude` does the same with a key",
  login: SIGN_IN,
  "auth print-token": SIGN_IN,
  "debug claude": "shows requests and answers of a session, which the spend log here does not keep",
  "encryption migrate":
    "whatever is stored here is sealed by AES-256-GCM from the start: nothing is to be migrated",
};
