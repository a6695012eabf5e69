/** A Python SDK whose source distribution holds tests, each of which calls an operation once. */
export interface PythonSdk {
  /** On PyPI; its module has the same name. */
  readonly name: string;
  /** The client's class in the tests' `conftest.py`. */
  readonly client: string;
  /** What its tests import beside pytest. */
  readonly needs: readonly string[];
  /** Plugins of pytest among its own tests, which must be named as its own flags are not used. */
  readonly plugins?: readonly string[];
  /** Where its provider begins at the simulator, and the gateway at its own address. */
  readonly simulatorPath: string;
  readonly gatewayPath: string;
  /** The deployment behind every model's name; `URL` stands for the simulator's address. */
  readonly parameters: string;
  /** The tests of paths at which the gateway has something else: its own agents, and files in OpenAI's format. */
  readonly differs: RegExp;
}

/** Every Python SDK whose tests are run. */
export const pythonSdks: readonly PythonSdk[] = [
  {
    name: "openai",
    client: "OpenAI",
    needs: ["inline-snapshot"],
    simulatorPath: "/openai/v1",
    gatewayPath: "/v1",
    parameters: 'model: "openai/*", api_base: "URL/openai/v1"',
    differs: /^tests\/api_resources\/beta\/(test_agents\.py|agents\/)/,
  },
  {
    name: "anthropic",
    client: "Anthropic",
    needs: ["inline-snapshot", "http-snapshot[httpx]", "respx", "standardwebhooks"],
    // Makes respx mock the HTTP client that the SDK is built on.
    plugins: ["tests._alias_httpx"],
    simulatorPath: "/anthropic",
    gatewayPath: "",
    parameters: 'model: "anthropic/*", api_base: "URL/anthropic"',
    differs: /^tests\/api_resources\/(beta\/)?test_(agents|files)\.py/,
  },
];

/** SDKs on npm; looked at for tests, of which their packages have held none so far. */
export const nodeSdks = ["openai", "@anthropic-ai/sdk"] as const;
