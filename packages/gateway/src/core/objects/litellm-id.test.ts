import { describe, expect, it } from "vitest";
import { readLiteLlmId } from "./litellm-id.ts";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("readLiteLlmId", () => {
  it("reads a unified file id with its models", () => {
    const id = base64url(
      "litellm_proxy:application/json;unified_id,7b6c;target_model_names,gpt-4o,claude;llm_output_file_id,file-9;llm_output_file_model_id,dep-1",
    );
    expect(readLiteLlmId(id)).toEqual({
      kind: "file",
      providerId: "file-9",
      deploymentId: "dep-1",
      provider: undefined,
      targetModels: ["gpt-4o", "claude"],
    });
  });

  it("reads a unified batch id", () => {
    expect(readLiteLlmId(base64url("litellm_proxy;model_id:dep-1;llm_batch_id:batch_7"))).toMatchObject({
      kind: "batch",
      providerId: "batch_7",
      deploymentId: "dep-1",
    });
  });

  it("reads a model embedded in a file or batch id", () => {
    expect(readLiteLlmId(`file-${base64url("litellm:file-3;model,gpt-4o")}`)).toMatchObject({
      kind: "file",
      providerId: "file-3",
      targetModels: ["gpt-4o"],
    });
    expect(readLiteLlmId(`batch_${base64url("litellm:batch_3;model,gpt-4o")}`)?.kind).toBe("batch");
  });

  it.each([
    ["video_", "video_id", "video"],
    ["resp_", "response_id", "response"],
    ["cntr_", "container_id", "container"],
  ])("reads a provider embedded in a %s id", (prefix, field, kind) => {
    const id = `${prefix}${base64(`litellm:custom_llm_provider:azure;model_id:dep-2;${field}:${prefix}5`)}`;
    expect(readLiteLlmId(id)).toEqual({
      kind,
      providerId: `${prefix}5`,
      deploymentId: "dep-2",
      provider: "azure",
      targetModels: [],
    });
  });

  it("leaves provider ids and garbage alone", () => {
    for (const id of ["file-abc", "batch_68f0", "resp_", "", "video_!!!", base64url("litellm_proxy")]) {
      expect(readLiteLlmId(id)).toBeUndefined();
    }
  });
});
