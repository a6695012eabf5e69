/**
 * Kinds that only tokens have, past those of leaves: the parser makes one STRING leaf of an f-string's parts.
 * Every other token has a `Kind`.
 */
export * as TokenKind from "./token-kinds.ts";
