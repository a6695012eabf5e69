/**
 * The request formats that callers and providers speak.
 * Where caller and provider share one, bytes pass; otherwise the call goes through the neutral model.
 */
export type WireFormat = "chat" | "messages" | "responses" | "gemini" | "embeddings";

/** Whose conventions an answer follows in errors and rate-limit headers. */
export type Family = "openai" | "anthropic" | "google";
