import type { ApiFailure } from "../http/api-failure.ts";

/** The body of an error answer of Azure: `code` and `message`, and OpenAI's members where the model refuses. */
export function azureErrorEnvelope(failure: ApiFailure): { readonly error: Record<string, unknown> } {
  const { type, param, code, extra } = failure.details;
  return {
    error: {
      code: code ?? String(failure.status),
      message: failure.message,
      ...(type === undefined ? {} : { type }),
      ...(param === undefined ? {} : { param }),
      ...extra,
    },
  };
}
