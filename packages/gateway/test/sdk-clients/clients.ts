import type { Packages } from "./install.ts";

/** A client as its makers publish it, and the check that uses it. */
export interface Client {
  readonly title: string;
  readonly packages: Packages;
  /** A file of `node` or `python`. */
  readonly check: string;
  /** The ways in which it calls models, as the check names them. */
  readonly ways: readonly string[];
  /** The name of a model that it takes where it refuses those that it does not know. */
  readonly knownModel?: Readonly<Record<string, string>>;
}

const python = (...names: [string, ...string[]]): Packages => ({ registry: "pypi", names });
const node = (...names: [string, ...string[]]): Packages => ({ registry: "npm", names });

/** Every client of the matrix. */
export const clients: readonly Client[] = [
  {
    title: "openai, Python",
    packages: python("openai"),
    check: "openai_sdk.py",
    ways: ["chat", "responses"],
  },
  {
    title: "openai, Node.js",
    packages: node("openai", "zod"),
    check: "openai.js",
    ways: ["chat", "responses"],
  },
  {
    title: "anthropic, Python",
    packages: python("anthropic"),
    check: "anthropic_sdk.py",
    ways: ["messages"],
  },
  {
    title: "anthropic, Node.js",
    packages: node("@anthropic-ai/sdk", "zod"),
    check: "anthropic.js",
    ways: ["messages"],
  },
  {
    title: "google-genai, Python",
    packages: python("google-genai"),
    check: "google_sdk.py",
    ways: ["contents"],
  },
  {
    title: "google-genai, Node.js",
    packages: node("@google/genai"),
    check: "google.js",
    ways: ["contents"],
  },
  {
    title: "AI SDK",
    packages: node("ai", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/google", "zod"),
    check: "ai-sdk.js",
    ways: ["chat", "responses", "messages", "contents"],
  },
  {
    title: "LangChain",
    packages: python("langchain", "langchain-openai", "langchain-anthropic", "langchain-google-genai"),
    check: "langchain_agent.py",
    ways: ["chat", "responses", "messages", "contents"],
  },
  {
    title: "LlamaIndex",
    packages: python(
      "llama-index-core",
      "llama-index-llms-openai",
      "llama-index-llms-openai-like",
      "llama-index-llms-anthropic",
      "llama-index-llms-google-genai",
      // With the second major version its package for Anthropic fails by itself: "Cannot instantiate typing.Union".
      "anthropic<1",
    ),
    check: "llama_index_agent.py",
    ways: ["chat", "messages", "contents"],
    knownModel: { messages: "claude-sonnet-4-5" },
  },
  {
    title: "pydantic-ai",
    packages: python("pydantic-ai-slim[openai,anthropic,google]"),
    check: "pydantic_agent.py",
    ways: ["chat", "responses", "messages", "contents"],
  },
  {
    title: "instructor",
    packages: python("instructor", "anthropic", "google-genai", "jsonref"),
    check: "instructor_client.py",
    ways: ["chat", "responses", "messages", "contents"],
  },
  {
    title: "openai-agents",
    packages: python("openai-agents"),
    check: "openai_agent.py",
    ways: ["chat", "responses"],
  },
];
