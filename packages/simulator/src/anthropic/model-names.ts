/** Names of models as Anthropic's SDK 1.12 (`Model`) has them. */
export const modelNames: readonly string[] = `
  claude-fable-5-2 claude-mythos-5-2 claude-haiku-5-5 claude-sonnet-5-5 claude-fable-5-1 claude-opus-5-5
  claude-mythos-5-1 claude-sonnet-5 claude-fable-5 claude-mythos-5 claude-opus-5 claude-opus-4-8 claude-opus-4-7
  claude-mythos-preview claude-opus-4-6 claude-sonnet-4-6 claude-haiku-4-5 claude-haiku-4-5-20251001
  claude-opus-4-5 claude-opus-4-5-20251101 claude-sonnet-4-5 claude-sonnet-4-5-20250929
`
  .trim()
  .split(/\s+/);
