import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readStopReason } from "../../formats/answer-members.ts";
import { optionsFor } from "../../formats/provider-options.ts";
import { readMessagesUsage, toNeutralUsage } from "../../formats/usage.ts";

/** A Messages answer as the neutral result. */
export function fromMessagesResponse(answer: JsonObject): LanguageModelV3GenerateResult {
  if (!Array.isArray(answer.content)) {
    throw new GatewayError(502, "api_error", "The provider's answer has no content");
  }
  return {
    content: answer.content.flatMap(readBlock),
    ...readEnd(answer),
    usage: toNeutralUsage(readMessagesUsage(answer.usage)),
    warnings: [],
  };
}

/** Why an answer ended, and at which stop sequence. */
export function readEnd(answer: JsonObject): Pick<LanguageModelV3GenerateResult, "finishReason"> & {
  providerMetadata?: SharedV3ProviderMetadata;
} {
  const finishReason = readStopReason(
    typeof answer.stop_reason === "string" ? answer.stop_reason : undefined,
  );
  const stopSequence = answer.stop_sequence;
  if (typeof stopSequence !== "string") return { finishReason };
  return { finishReason, providerMetadata: optionsFor("anthropic", { stopSequence }) };
}

function readBlock(block: unknown): LanguageModelV3Content[] {
  if (!isJsonObject(block)) return [];
  switch (block.type) {
    case "text":
      return [{ type: "text", text: String(block.text) }];
    case "thinking": {
      const providerMetadata = optionsFor("anthropic", { signature: block.signature });
      return [{ type: "reasoning", text: String(block.thinking), providerMetadata }];
    }
    case "redacted_thinking":
      return [
        {
          type: "reasoning",
          text: "",
          providerMetadata: optionsFor("anthropic", { redactedData: block.data }),
        },
      ];
    case "tool_use":
      return [
        {
          type: "tool-call",
          toolCallId: String(block.id),
          toolName: String(block.name),
          input: JSON.stringify(block.input ?? {}),
        },
      ];
    default:
      return [];
  }
}
