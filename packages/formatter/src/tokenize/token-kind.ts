/**
 * Kinds that only tokens have, past those of leaves. Every other token has a `Kind`.
 */
export * as TokenKind from "./token-kinds.ts";
