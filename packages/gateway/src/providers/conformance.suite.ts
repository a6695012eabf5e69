import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { beforeAll, describe, expect, it } from "vitest";
import { GatewayError } from "../contract/errors.ts";
import type { Provider } from "../contract/provider.ts";
import { neutralOptions, withOptions } from "../formats/provider-options.ts";
import { fromNeutralUsage } from "../formats/usage.ts";

/** What a provider cannot show against the simulator, each with its reason. */
export type Skips = Readonly<
  Partial<Record<"reasoning" | "cache" | "signed reasoning" | "stream usage", string>>
>;

/** One provider and how to reach its stand-in. */
export interface ConformanceCase {
  readonly provider: Provider;
  readonly model: string;
  readonly skips: Skips;
  /** Opens the model; the simulator is running by then. */
  readonly open: () => LanguageModelV3;
}

type Answer = Pick<LanguageModelV3GenerateResult, "content" | "finishReason" | "usage">;

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const city = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
};
const weather = { type: "function" as const, name: "weather", description: "Weather", inputSchema: city };
const time = { type: "function" as const, name: "time", description: "Time", inputSchema: city };

function user(text: string): LanguageModelV3Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** A test that a provider's stand-in may be unable to show; a skipped one would look like something that is missing. */
function itUnless(reason: string | undefined): (name: string, test: () => Promise<void>) => void {
  return reason === undefined ? it : () => undefined;
}

/** The same checks for every provider, whole answers and streams. */
export function conformance(name: string, { skips, open }: ConformanceCase): void {
  describe.each([
    ["whole", whole],
    ["streamed", streamed],
  ] as const)(`${name}, %s answers`, (_kind, ask) => {
    let model: LanguageModelV3;
    beforeAll(() => {
      model = open();
    });

    it("gives text, its end and its usage", async () => {
      const answer = await ask(model, { prompt: [{ role: "system", content: "Be kind." }, user("hello")] });
      expect(textOf(answer)).toBe("echo: hello");
      expect(answer.finishReason.unified).toBe("stop");
      if (ask === streamed && skips["stream usage"] !== undefined) return;
      expect(fromNeutralUsage(answer.usage)).toMatchObject({
        input: expect.toSatisfy((count: number) => count > 0),
        output: expect.toSatisfy((count: number) => count > 0),
      });
    });

    it("takes pictures", async () => {
      const picture = { type: "file" as const, data: pixel, mediaType: "image/png" };
      const content = [{ type: "text" as const, text: "what is this" }, picture];
      const answer = await ask(model, { prompt: [{ role: "user", content }] });
      expect(textOf(answer)).toBe("echo: what is this");
    });

    it("stops at the length and at a stop sequence", async () => {
      const long = await ask(model, { prompt: [user("[[sim:tokens 50]]")], maxOutputTokens: 5 });
      expect(long.finishReason.unified).toBe("length");
      const stopped = await ask(model, {
        prompt: [user("[[sim:say one STOP two]]")],
        stopSequences: ["STOP"],
      });
      expect(textOf(stopped).trim()).toBe("one");
      expect(stopped.finishReason.unified).toBe("stop");
    });

    it("calls tools and takes their results, errors and pictures", async () => {
      const options = { prompt: [user("weather in Paris?")], tools: [weather] };
      const first = await ask(model, options);
      expect(first.finishReason.unified).toBe("tool-calls");
      const [call] = callsOf(first);
      expect(call?.toolName).toBe("weather");
      expect(JSON.parse(call?.input ?? "")).toHaveProperty("city");
      const prompt = [...options.prompt, assistantTurn(first), resultsOf(first, "sunny")];
      expect(textOf(await ask(model, { ...options, prompt }))).toContain("sunny");
      const picture = { type: "image-data" as const, data: pixel, mediaType: "image/png" };
      const output = { type: "content" as const, value: [{ type: "text" as const, text: "rain" }, picture] };
      const shown = [...options.prompt, assistantTurn(first), resultsOf(first, "", output)];
      expect((await ask(model, { ...options, prompt: shown })).content).not.toEqual([]);
      const failed = resultsOf(first, "", { type: "error-text", value: "no such city" });
      const broken = [...options.prompt, assistantTurn(first), failed];
      expect(textOf(await ask(model, { ...options, prompt: broken }))).toContain("no such city");
    });

    it("calls several tools at once and takes all results", async () => {
      const options = { prompt: [user("both [[sim:parallel]]")], tools: [weather, time] };
      const first = await ask(model, options);
      expect(callsOf(first).map((call) => call.toolName)).toEqual(["weather", "time"]);
      expect(new Set(callsOf(first).map((call) => call.toolCallId)).size).toBe(2);
      const prompt = [...options.prompt, assistantTurn(first), resultsOf(first, "fine")];
      expect(textOf(await ask(model, { ...options, prompt }))).toContain("fine");
    });

    it("calls tools whose arguments are one of several objects", async () => {
      const place = { type: "object" as const, properties: { place: { type: "string" as const } } };
      const inputSchema = { anyOf: [city, { ...place, required: ["place"] }] };
      const tools = [{ ...weather, inputSchema }];
      const first = await ask(model, { prompt: [user("weather in Paris?")], tools });
      expect(callsOf(first).map((call) => call.toolName)).toEqual(["weather"]);
    });

    it("obeys the choice of tools", async () => {
      const prompt = [user("hello")];
      const tools = [weather, time];
      const none = await ask(model, { prompt, tools, toolChoice: { type: "none" } });
      expect(callsOf(none)).toEqual([]);
      const named = await ask(model, { prompt, tools, toolChoice: { type: "tool", toolName: "time" } });
      expect(callsOf(named).map((call) => call.toolName)).toEqual(["time"]);
    });

    it("answers in the shape of a schema", async () => {
      const schema = { ...city, additionalProperties: false };
      const options = { prompt: [user("give me a city")], responseFormat: { type: "json" as const, schema } };
      expect(JSON.parse(textOf(await ask(model, options)))).toHaveProperty("city");
    });

    itUnless(skips.reasoning)("reasons when asked to", async () => {
      const answer = await ask(model, thinking([user("hm [[sim:think]]")]));
      expect(reasoningOf(answer)).not.toBe("");
      expect(textOf(answer)).not.toBe("");
    });

    itUnless(skips["signed reasoning"])(
      "takes its own signed reasoning back in a round of tools",
      async () => {
        const prompt = [user("weather? [[sim:think]]")];
        const first = await ask(model, { ...thinking(prompt), tools: [weather] });
        expect(first.content[0]?.type).toBe("reasoning");
        const next = [...prompt, assistantTurn(first), resultsOf(first, "sunny")];
        expect(textOf(await ask(model, { ...thinking(next), tools: [weather] }))).toContain("sunny");
      },
    );

    it("leaves another provider's reasoning out", async () => {
      const foreign = { anthropic: { signature: "bm90IHlvdXJz" } };
      const signed = skips.cache === undefined ? { google: { thoughtSignature: "bm90IHlvdXJz" } } : foreign;
      const reasoning = { type: "reasoning" as const, text: "hm", ...withOptions(signed) };
      const assistant = {
        role: "assistant" as const,
        content: [reasoning, { type: "text" as const, text: "ok" }],
      };
      const answer = await ask(model, { prompt: [user("a"), assistant, user("again")] });
      expect(textOf(answer)).toBe("echo: again");
    });

    itUnless(skips.cache)("counts what a cache took and gave", async () => {
      const text = `A long text to remember. ${name} ${_kind} `.repeat(400);
      const cached = withOptions({ anthropic: { cacheControl: { type: "ephemeral" } } });
      const prompt: LanguageModelV3Message[] = [{ role: "system", content: text, ...cached }, user("hello")];
      const first = fromNeutralUsage((await ask(model, { prompt })).usage);
      const second = fromNeutralUsage((await ask(model, { prompt })).usage);
      expect(first?.cacheWrite).toBeGreaterThan(0);
      expect(second?.cacheRead).toBe(first?.cacheWrite);
      expect(second?.input).toBe(first?.input);
    });

    it.each([
      [400, "invalid_request_error"],
      [401, "authentication_error"],
      [404, "not_found_error"],
      [429, "rate_limit_error"],
      [500, "api_error"],
      [503, "overloaded_error"],
    ])("reports status %i as %s", async (status, type) => {
      const error = await failure(
        ask(model, { prompt: [user(`[[sim:fault status=${status};retry-after=2]]`)] }),
      );
      expect(error).toMatchObject({ status, type, retryable: status === 429 || status >= 500 });
      if (status === 429) expect(error.retryAfter).toBe(2);
    });

    it("recognises a prompt that is too long", async () => {
      const error = await failure(ask(model, { prompt: [user("[[sim:context-window]]")] }));
      expect(error).toMatchObject({ status: 400, providerCode: "context_length_exceeded" });
    });

    it.each(["garbage", "cut=300", "empty", "error-event"])(
      "never takes a broken answer (%s) for a whole one",
      async (fault) => {
        const prompt = [user(`[[sim:tokens 200]] [[sim:fault ${fault}]]`)];
        if (ask === whole && fault === "error-event") return;
        await expect(ask(model, { prompt })).rejects.toThrow();
      },
    );

    it("stops when the caller leaves", async () => {
      const controller = new AbortController();
      const prompt = [user("[[sim:ttft 60000]]")];
      const asked = ask(model, { prompt, abortSignal: controller.signal });
      setTimeout(() => controller.abort(), 20);
      await expect(asked).rejects.toThrow();
    });
  });
}

function thinking(prompt: LanguageModelV3Message[]): LanguageModelV3CallOptions {
  return { prompt, ...withOptions(neutralOptions({ reasoning: { budgetTokens: 2048 } })) };
}

async function whole(model: LanguageModelV3, options: LanguageModelV3CallOptions): Promise<Answer> {
  return model.doGenerate(options);
}

/** Reads a stream and puts its parts together; rejects unless it ends with `finish`. */
async function streamed(model: LanguageModelV3, options: LanguageModelV3CallOptions): Promise<Answer> {
  const { stream } = await model.doStream(options);
  const assembly = new Assembly();
  for await (const part of stream) assembly.add(part);
  if (assembly.end === undefined) throw new Error("the stream ended without finish");
  return { content: assembly.content, ...assembly.end };
}

class Assembly {
  readonly content: LanguageModelV3Content[] = [];
  end: Pick<Answer, "finishReason" | "usage"> | undefined;
  readonly #texts = new Map<
    string,
    { type: "text" | "reasoning"; text: string; providerMetadata: SharedV3ProviderMetadata }
  >();

  add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type = part.type === "text-start" ? ("text" as const) : ("reasoning" as const);
        const text = { type, text: "", providerMetadata: { ...part.providerMetadata } };
        this.#texts.set(`${type}${part.id}`, text);
        this.content.push(text);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const text = this.#texts.get(`${part.type.slice(0, -"-delta".length)}${part.id}`)!;
        text.text += part.delta;
        Object.assign(text.providerMetadata, part.providerMetadata);
        break;
      }
      case "reasoning-end":
        Object.assign(this.#texts.get(`reasoning${part.id}`)!.providerMetadata, part.providerMetadata);
        break;
      case "tool-call":
        this.content.push(part);
        break;
      case "error":
        throw part.error;
      case "finish":
        this.end = part;
    }
  }
}

function textOf(answer: Answer): string {
  return answer.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function reasoningOf(answer: Answer): string {
  return answer.content.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
}

function callsOf(answer: Answer) {
  return answer.content.filter((part) => part.type === "tool-call");
}

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

/** An answer as the assistant's turn of the next call. */
function assistantTurn(answer: Answer): LanguageModelV3Message {
  const content = answer.content.flatMap((part): AssistantContent => {
    const options = withOptions(("providerMetadata" in part && part.providerMetadata) || {});
    if (part.type === "text" && part.text !== "") return [{ type: part.type, text: part.text, ...options }];
    if (part.type === "reasoning") return [{ type: part.type, text: part.text, ...options }];
    if (part.type !== "tool-call") return [];
    const { type, toolCallId, toolName } = part;
    return [{ type, toolCallId, toolName, input: JSON.parse(part.input) as unknown, ...options }];
  });
  return { role: "assistant", content };
}

type Output = Extract<
  Extract<LanguageModelV3Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function resultsOf(
  answer: Answer,
  value: string,
  output: Output = { type: "text", value },
): LanguageModelV3Message {
  const content = callsOf(answer).map(({ toolCallId, toolName }) => ({
    type: "tool-result" as const,
    toolCallId,
    toolName,
    output,
  }));
  return { role: "tool", content };
}

async function failure(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
}
