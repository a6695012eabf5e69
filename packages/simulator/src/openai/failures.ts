import { ApiFailure } from "../http/api-failure.ts";

/** A request that OpenAI refuses as invalid. */
export function invalidRequest(
  message: string,
  param: string | null = null,
  code: string | null = null,
): ApiFailure {
  return new ApiFailure(400, message, { type: "invalid_request_error", param, code });
}

/** A body without a member that OpenAI requires. */
export function missingParameter(name: string): ApiFailure {
  return invalidRequest(`Missing required parameter: '${name}'.`, name, "missing_required_parameter");
}

/** A member of the wrong type. */
export function wrongType(name: string, expected: string): ApiFailure {
  return invalidRequest(`Invalid type for '${name}': expected ${expected}.`, name, "invalid_type");
}

/** A member outside the values OpenAI knows. */
export function invalidValue(name: string, message: string): ApiFailure {
  return invalidRequest(message, name, "invalid_value");
}

/** A model that does not exist for this account. */
export function modelNotFound(model: string): ApiFailure {
  return new ApiFailure(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
    type: "invalid_request_error",
    code: "model_not_found",
  });
}

/** A prompt that is longer than the model's context window. */
export function contextLengthExceeded(inputTokens: number, param: "messages" | "input"): ApiFailure {
  const message = `This model's maximum context length is 128000 tokens. However, your messages resulted in ${inputTokens + 128000} tokens. Please reduce the length of the messages.`;
  return invalidRequest(message, param, "context_length_exceeded");
}

/** A prompt that the provider's content policy refuses; Azure words it differently from OpenAI. */
export function contentPolicyViolation(azure: boolean): ApiFailure {
  if (!azure) {
    const message = "Your request was rejected as a result of our safety system.";
    return invalidRequest(message, null, "content_policy_violation");
  }
  return new ApiFailure(
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
    {
      param: "prompt",
      code: "content_filter",
      extra: {
        status: 400,
        innererror: {
          code: "ResponsibleAIPolicyViolation",
          content_filter_result: { hate: { filtered: true, severity: "high" } },
        },
      },
    },
  );
}

/** A stored object that does not exist. */
export function notFound(message: string, param: string | null = "id"): ApiFailure {
  return new ApiFailure(404, message, { type: "invalid_request_error", param, code: null });
}
