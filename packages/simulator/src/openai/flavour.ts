/**
 * Which host speaks the OpenAI wire format: OpenAI itself, Azure, or a compatible host that has chat
 * completions, embeddings and models only.
 */
export type Flavour = "openai" | "azure" | "compat";
