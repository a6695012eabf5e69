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
  /** Parameters of the query that carry credentials, which are the gateway's. */
  readonly credentials: readonly string[];
}

/** Every provider whose operations pass through; LiteLLM has the same names for them. */
export const providerPrefixes: readonly ProviderPrefix[] = [
  {
    name: "openai",
    version: "v1",
    family: "openai",
    methods: ["GET", "POST", "DELETE"],
    credentials: [],
  },
  {
    name: "anthropic",
    version: "v1",
    family: "anthropic",
    methods: ["GET", "POST", "DELETE"],
    credentials: [],
  },
  {
    name: "gemini",
    version: "v1beta",
    family: "google",
    methods: ["GET", "POST", "PATCH", "DELETE"],
    // Google's system parameters (Cloud APIs).
    credentials: ["key", "access_token", "oauth_token"],
  },
];
