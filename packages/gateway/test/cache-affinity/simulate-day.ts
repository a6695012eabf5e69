import { type Simulator, startSimulator } from "portico-simulator";
import { startTestGateway } from "../support/gateway.ts";

/** A day of agents at work. */
export interface Day {
  readonly deployments: number;
  readonly affinity: boolean;
  /** Whether one of the deployments refuses everything in the middle third of the day. */
  readonly failing: boolean;
  /** Conversations, and the turns of each; several go on at the same time, each turn after the turn before. */
  readonly sessions: number;
  readonly turns: number;
}

/** Tokens of input by what the providers' caches did with them. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
  /** Calls by what led them, from the gateway's header. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Every agent of the day has the same instructions, as those of one program have. */
const INSTRUCTIONS = "You are an agent that writes programs. ".repeat(200);
/** What a tool brings at each turn. */
const RESULT = "a line of the file that was read\n".repeat(30);
/** Conversations at the same time. */
const AT_ONCE = 8;

/** Sends a day of agents' turns through a gateway; every deployment is a provider with a cache of its own. */
export async function simulateDay(day: Day): Promise<CacheUse> {
  const simulators: Simulator[] = [];
  for (let count = 0; count < day.deployments; count += 1) simulators.push(await startSimulator({ port: 0 }));
  const models = simulators.map(
    ({ url }, index) =>
      `  - model_name: claude\n    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", api_key: simulated}\n    model_info: {id: d${index}}\n`,
  );
  const router = `router_settings: {prompt_cache_affinity: ${day.affinity}, allowed_fails: 0, cooldown_time: 3600}\n`;
  const gateway = await startTestGateway({ config: `model_list:\n${models.join("")}${router}` });
  const use = { read: 0, written: 0, fresh: 0, reasons: {} as Record<string, number> };
  const total = day.sessions * day.turns;
  let sent = 0;
  const turn = async (messages: object[]): Promise<void> => {
    sent += 1;
    if (day.failing && sent === Math.ceil(total / 3))
      simulators.at(-1)!.setFault({ method: "POST", fault: "status=500", times: "forever" });
    const answer = await gateway.call("/v1/messages", { body: request(messages) });
    const { usage, content } = (await answer.json()) as Answer;
    use.read += usage.cache_read_input_tokens;
    use.written += usage.cache_creation_input_tokens;
    use.fresh += usage.input_tokens;
    const reason = answer.headers.get("x-portico-affinity") ?? "none";
    use.reasons[reason] = (use.reasons[reason] ?? 0) + 1;
    messages.push({ role: "assistant", content });
  };
  const session = async (name: number): Promise<void> => {
    const messages: object[] = [];
    for (let count = 0; count < day.turns; count += 1) {
      messages.push({
        role: "user",
        content: [{ type: "text", text: `Task ${name}, step ${count}. ${RESULT}` }],
      });
      await turn(messages);
    }
  };
  try {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let name = next++; name < day.sessions; name = next++) await session(name);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return use;
  } finally {
    await gateway.close();
    for (const simulator of simulators) await simulator.close();
  }
}

interface Answer {
  readonly content: readonly object[];
  readonly usage: {
    readonly input_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly cache_creation_input_tokens: number;
  };
}

/** As agents send it: marks behind the instructions and behind the last two texts of the user. */
function request(messages: readonly object[]): object {
  const mark = { cache_control: { type: "ephemeral" } };
  const users = messages.filter((message) => (message as { role: string }).role === "user").slice(-2);
  return {
    model: "claude",
    max_tokens: 200,
    system: [{ type: "text", text: INSTRUCTIONS, ...mark }],
    messages: messages.map((message) => {
      if (!users.includes(message)) return message;
      const { role, content } = message as { role: string; content: object[] };
      return { role, content: content.map((block) => ({ ...block, ...mark })) };
    }),
  };
}
