import { join } from "node:path";
import type { Package } from "./install.ts";

/** Where an agent runs and what it talks to. */
export interface Place {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly home: string;
  /** The folder that it works in. */
  readonly work: string;
}

/** An unmodified agent, and how one uses it without a terminal. */
export interface Agent {
  readonly title: string;
  readonly package: Package;
  /** The format in which it talks to the gateway. */
  readonly format: "messages" | "responses" | "chat" | "gemini";
  /** It asks over WebSockets; a run in which it opened none proves nothing. */
  readonly overSockets?: true;
  /** Files of its configuration, by path. */
  files?(place: Place): Readonly<Record<string, string>>;
  environment(place: Place): Readonly<Record<string, string>>;
  /** Arguments that ask once. */
  ask(place: Place, prompt: string): readonly string[];
  /** The call by which it reads a file of its folder; absent where it calls no tools. */
  read?(place: Place, file: string): string;
  /**
   * Runs that end with an answer to `prompt`, after an answer to `first` and a summary of what came before. Where the agent
   * sums up by itself, `first` is too long for the window that its configuration names.
   */
  compact?(place: Place, first: string, prompt: string): readonly (readonly string[])[];
}

/** Tokens of the window that configurations name, so that agents sum up a long conversation. */
const WINDOW = 30_000;

const call = (name: string, input: object): string => `[[sim:tool ${name} ${JSON.stringify(input)}]]`;

const claudeCode: Agent = {
  title: "Claude Code",
  package: { registry: "npm", name: "@anthropic-ai/claude-code", version: "2.1.330", command: "claude" },
  format: "messages",
  environment: ({ url, key }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    MAX_THINKING_TOKENS: "2000",
  }),
  ask: ({ model }, prompt) => ["--model", model, "-p", prompt],
  read: ({ work }, file) => call("Read", { file_path: join(work, file) }),
  compact: ({ model }, first, prompt) => [
    ["--model", model, "-p", first],
    ["--model", model, "--continue", "-p", "/compact [[sim:say in short: SUMMARY]]"],
    ["--model", model, "--continue", "-p", prompt],
  ],
};

const codex: Agent = {
  title: "Codex",
  package: { registry: "npm", name: "@openai/codex", version: "0.169.0", command: "codex" },
  format: "responses",
  files: ({ home, url, model }) => ({
    [join(home, ".codex/config.toml")]: `model_provider = "portico"
model = "${model}"
model_auto_compact_token_limit = ${WINDOW}
[model_providers.portico]
name = "Portico"
base_url = "${url}/v1"
env_key = "PORTICO_KEY"
wire_api = "responses"
`,
  }),
  environment: ({ key }) => ({ PORTICO_KEY: key }),
  ask: (_place, prompt) => ["exec", "--skip-git-repo-check", "-s", "danger-full-access", prompt],
  read: (_place, file) => call("exec_command", { cmd: `cat ${file}` }),
  compact: (place, first, prompt) => {
    const [exec, ...rest] = codex.ask(place, prompt) as [string, ...string[]];
    return [codex.ask(place, first), [exec, ...rest.slice(0, -1), "resume", "--last", prompt]];
  },
};

const codexOverSockets: Agent = {
  ...codex,
  title: "Codex over WebSockets",
  overSockets: true,
  files: (place) =>
    Object.fromEntries(
      Object.entries(codex.files!(place)).map(([path, text]) => [
        path,
        `${text}supports_websockets = true\n`,
      ]),
    ),
};

const geminiCli: Agent = {
  title: "Gemini CLI",
  package: { registry: "npm", name: "@google/gemini-cli", version: "0.61.0", command: "gemini" },
  format: "gemini",
  // As after its first start with "Use Gemini API key"; without a terminal it cannot ask.
  files: ({ home }) => ({
    [join(home, ".gemini/settings.json")]: JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      // Of a window of a million tokens.
      model: { compressionThreshold: 0.01 },
    }),
  }),
  environment: ({ url, key }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
  ask: ({ model }, prompt) => ["--skip-trust", "-m", model, "-p", prompt],
  read: (_place, file) => call("read_file", { file_path: file }),
  compact: (place, first, prompt) => [
    geminiCli.ask(place, first),
    ["--resume", "latest", ...geminiCli.ask(place, prompt)],
  ],
};

const opencode: Agent = {
  title: "opencode",
  package: { registry: "npm", name: "opencode-ai", version: "1.18.33", command: "opencode" },
  format: "chat",
  files: ({ home, url, key, model }) => ({
    [join(home, ".config/opencode/opencode.json")]: JSON.stringify({
      autoupdate: false,
      share: "disabled",
      provider: {
        portico: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: key },
          models: {
            [model]: { reasoning: true, tool_call: true, limit: { context: WINDOW + 4000, output: 4000 } },
          },
        },
      },
    }),
  }),
  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  // Word by word: it puts arguments with a blank into quotation marks.
  ask: ({ model }, prompt) => ["run", "-m", `portico/${model}`, ...prompt.split(" ")],
  read: ({ work }, file) => call("read", { filePath: join(work, file) }),
  compact: (place, first, prompt) => [
    opencode.ask(place, first),
    ["run", "--continue", ...opencode.ask(place, prompt).slice(1)],
  ],
};

const qwenCode: Agent = {
  title: "Qwen Code",
  package: { registry: "npm", name: "@qwen-code/qwen-code", version: "0.24.4", command: "qwen" },
  format: "chat",
  environment: ({ url, key, model }) => ({
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
  }),
  ask: ({ model }, prompt) => ["--auth-type", "openai", "-m", model, prompt],
  compact: (place, first, prompt) => [
    qwenCode.ask(place, first),
    ["--continue", ...qwenCode.ask(place, "/compress")],
    ["--continue", ...qwenCode.ask(place, prompt)],
  ],
  read: ({ work }, file) => call("read_file", { file_path: join(work, file) }),
};

/** 0.87.1 was the newest of which all dependencies could be had when this was tried. */
const pi: Agent = {
  title: "pi",
  package: { registry: "npm", name: "@earendil-works/pi-coding-agent", version: "0.87.1", command: "pi" },
  format: "chat",
  files: ({ home, url, model }) => ({
    [join(home, ".pi/agent/models.json")]: JSON.stringify({
      providers: {
        portico: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: "$PORTICO_KEY",
          models: [{ id: model, reasoning: true, contextWindow: WINDOW, maxTokens: 2000 }],
        },
      },
    }),
    // The long prompt must be above the window less this reserve: pi otherwise sums up only what was cut off.
    [join(home, ".pi/agent/settings.json")]: JSON.stringify({
      compaction: { reserveTokens: 5000, keepRecentTokens: 100 },
    }),
  }),
  environment: ({ key }) => ({ PORTICO_KEY: key, PI_OFFLINE: "1" }),
  ask: ({ model }, prompt) => ["--provider", "portico", "--model", model, "-p", prompt],
  read: (_place, file) => call("read", { path: file }),
  compact: (place, first, prompt) => [pi.ask(place, first), ["--continue", ...pi.ask(place, prompt)]],
};

const aider: Agent = {
  title: "aider",
  package: { registry: "pypi", name: "aider-chat", version: "0.86.2", command: "aider" },
  format: "chat",
  environment: ({ url, key }) => ({ OPENAI_API_BASE: `${url}/v1`, OPENAI_API_KEY: key }),
  ask: ({ model }, prompt) => [
    ...["--model", `openai/${model}`, "--no-git", "--no-check-update", "--analytics-disable", "--yes-always"],
    ...["--no-show-model-warnings", "--no-pretty", "--message", prompt],
  ],
};

const llm: Agent = {
  title: "llm",
  package: { registry: "pypi", name: "llm", version: "0.30", command: "llm", beside: ["httpx"] },
  format: "chat",
  files: ({ home, url, model }) => ({
    [join(home, ".config/io.datasette.llm/extra-openai-models.yaml")]: `- model_id: portico
  model_name: ${model}
  api_base: "${url}/v1"
  api_key_name: portico
  supports_tools: true
`,
  }),
  environment: ({ key }) => ({ OPENAI_API_KEY: key }),
  ask: ({ key }, prompt) => [
    ...[
      "-m",
      "portico",
      "--key",
      key,
      "--functions",
      "def read_file(path: str) -> str:\n  return open(path).read()",
    ],
    prompt,
  ],
  read: (_place, file) => call("read_file", { path: file }),
};

/** Every agent of the matrix. */
export const agents: readonly Agent[] = [
  claudeCode,
  codex,
  codexOverSockets,
  geminiCli,
  opencode,
  qwenCode,
  pi,
  aider,
  llm,
];
