/** An SDK whose own tests are run, each of which calls an operation once. */
export interface Sdk {
  readonly name: string;
  /** Where its provider begins at the simulator, and the gateway at its own address. */
  readonly simulatorPath: string;
  readonly gatewayPath: string;
  /** The deployment behind every model's name; `URL` stands for the simulator's address. */
  readonly parameters: string;
}

/** One whose source distribution on PyPI holds its tests; its module has the same name. */
export interface PythonSdk extends Sdk {
  /** The client's class in the tests' `conftest.py`. */
  readonly client: string;
  /** What its tests import beside pytest. */
  readonly needs: readonly string[];
  /** Plugins of pytest among its own tests, which must be named as its own flags are not used. */
  readonly plugins?: readonly string[];
}

/** One whose tests stand in its repository alone, by the repository's name. */
export interface NodeSdk extends Sdk {
  /** As its tests import it. */
  readonly package: string;
}

const atOpenAI = {
  simulatorPath: "/openai/v1",
  gatewayPath: "/openai/v1",
  parameters: 'model: "openai/*", api_base: "URL/openai/v1"',
} as const;

const atAnthropic = {
  simulatorPath: "/anthropic",
  gatewayPath: "/anthropic",
  parameters: 'model: "anthropic/*", api_base: "URL/anthropic"',
} as const;

/** Every Python SDK whose tests are run. */
export const pythonSdks: readonly PythonSdk[] = [
  {
    name: "openai",
    client: "OpenAI",
    needs: ["inline-snapshot"],
    ...atOpenAI,
  },
  {
    name: "anthropic",
    client: "Anthropic",
    needs: ["inline-snapshot", "http-snapshot[httpx]", "respx", "standardwebhooks"],
    // Makes respx mock the HTTP client that the SDK is built on.
    plugins: ["tests._alias_httpx"],
    ...atAnthropic,
  },
];

/** Every Node SDK whose tests are run. */
export const nodeSdks: readonly NodeSdk[] = [
  {
    name: "openai-node",
    package: "openai",
    ...atOpenAI,
  },
  {
    name: "anthropic-sdk-typescript",
    package: "@anthropic-ai/sdk",
    ...atAnthropic,
  },
];
