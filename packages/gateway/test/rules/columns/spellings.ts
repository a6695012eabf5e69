const base64 = (text: string): string => Buffer.from(text).toString("base64url");

/** Ids that are none, as they stand in a path. */
export const spellings: readonly string[] = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%2E.",
  "%252e%252e",
  "%25252e%25252e",
  "..%2f..",
  "a%2f..%2fb",
  "a%252f..%252fb",
  "%2f",
  "a%2f%2fb",
  "a%2f",
  "..%5c..",
  "a%5cb",
  "a%255cb",
  "a%00",
  "a%0d%0ab",
  "a%09b",
  "a%7f",
];

/** Ids in LiteLLM's forms whose inner id is none. */
export const litellmSpellings: readonly string[] = ["..", "a/../b", "", "%2e%2e", "a\\b"].flatMap((inner) => [
  `video_${base64(`litellm:custom_llm_provider:openai;model_id:dep-gpt;video_id:${inner}`)}`,
  `resp_${base64(`litellm:custom_llm_provider:openai;model_id:dep-gpt;response_id:${inner}`)}`,
  `cntr_${base64(`litellm:custom_llm_provider:openai;model_id:dep-gpt;container_id:${inner}`)}`,
  base64(`litellm_proxy;model_id:dep-gpt;llm_batch_id:${inner}`),
  `file-${base64(`litellm:${inner};model,gpt`)}`,
  `batch_${base64(`litellm:${inner};model,gpt`)}`,
  ...(inner === ""
    ? []
    : [base64(`litellm_proxy:application/json;unified_id,1;llm_output_file_id,${inner}`)]),
]);
