import { ApiFailure } from "../http/api-failure.ts";

/** A request that Gemini refuses as invalid. */
export function invalidArgument(message: string): ApiFailure {
  return new ApiFailure(400, message);
}

/** A model or resource that does not exist. */
export function notFound(message: string): ApiFailure {
  return new ApiFailure(404, message);
}

/** A model that does not exist or lacks a method. */
export function modelNotFound(model: string, method: string): ApiFailure {
  return notFound(
    `models/${model} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );
}
