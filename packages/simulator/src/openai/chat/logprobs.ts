import { tokenPieces } from "../../answers/tokens.ts";

/** `logprobs` of a text: one entry a token, each as likely as the other. */
export function logprobsOf(text: string) {
  return {
    content: tokenPieces(text).map((token) => ({
      token,
      logprob: -0.5,
      bytes: [...Buffer.from(token)],
      top_logprobs: [],
    })),
    refusal: null,
  };
}
