import type { Route } from "../../contract/exchange.ts";
import type { Family } from "../../contract/wire-format.ts";

/** A leading segment below which a provider's whole API stands. */
export interface ProviderPrefix {
  /** The segment, which is the provider's name too. */
  readonly name: string;
  /** The API's version, without which no path is one of it. */
  readonly version: string;
  readonly family: Family;
  /** Methods that the API has. */
  readonly methods: readonly Route["method"][];
  /** Parameters of the query that stand for credentials, headers or another method, which are the gateway's. */
  readonly ownParameters: RegExp | undefined;
}

/** Every provider whose operations pass through; LiteLLM has the same names for them. */
export const providerPrefixes: readonly ProviderPrefix[] = [
  {
    name: "openai",
    version: "v1",
    family: "openai",
    methods: ["GET", "POST", "DELETE"],
    ownParameters: undefined,
  },
  {
    name: "anthropic",
    version: "v1",
    family: "anthropic",
    methods: ["GET", "POST", "DELETE"],
    ownParameters: undefined,
  },
  {
    name: "gemini",
    version: "v1beta",
    family: "google",
    methods: ["GET", "POST", "PATCH", "DELETE"],
    // Google's system parameters (Cloud APIs), and those in place of headers and method (`$httpHeaders`, `$httpMethod`).
    ownParameters: /^(?:\$.*|key|access_token|oauth_token)$/is,
  },
];
