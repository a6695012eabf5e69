import type { Received } from "portico-simulator";
import { type Step, stepsOf, unpaired } from "./history.ts";
import type { Agent, Place } from "./programs.ts";
import type { Provider } from "./providers.ts";

/** What became of one cell; nothing is wrong where `fault` is absent. */
export interface Cell {
  readonly fault?: string;
  /** Why an agent cannot be asked for this. */
  readonly absent?: string;
}

/** What a behaviour needs to be tried. */
export interface Trial {
  readonly agent: Agent;
  readonly provider: Provider;
  readonly place: Place;
  /** Files in the agent's folder and what stands in them. */
  readonly notes: Readonly<Record<string, string>>;
  run(args: readonly string[]): Promise<string>;
  setFault(rule: Parameters<import("portico-simulator").Simulator["setFault"]>[0]): void;
  /** What reached the provider since the trial began. */
  received(): readonly Received[];
}

/** A column of the matrix. */
export interface Behaviour {
  readonly title: string;
  try(trial: Trial): Promise<Cell>;
}

const MARK = "kumquat";
/** About 25,000 tokens, as an argument of a program at most 128 KiB. */
const LONG = "long story ".repeat(9000);

const answer: Behaviour = {
  title: "answer",
  async try(trial) {
    const output = await trial.run(trial.agent.ask(trial.place, `${MARK}? [[sim:say it works]]`));
    return (
      printed(output, "it works") ??
      reached(trial, (steps) => (has(steps, "user", MARK) ? undefined : "the prompt is missing")) ??
      {}
    );
  },
};

const toolLoop: Behaviour = { title: "tool loop", try: (trial) => loop(trial, { files: 1, thinks: false }) };
const parallel: Behaviour = {
  title: "parallel tools",
  try: (trial) => loop(trial, { files: 2, thinks: false }),
};

const reasoning: Behaviour = {
  title: "reasoning",
  try: (trial) => loop(trial, { files: 1, thinks: true }),
};

const retry: Behaviour = {
  title: "429 and retry",
  async try(trial) {
    const { agent, place, provider } = trial;
    trial.setFault({ method: "POST", path: provider.prefix, fault: "status=429;retry-after=1", times: 2 });
    const output = await trial.run(agent.ask(place, `${MARK}? [[sim:say it works]]`));
    const statuses = conversation(trial).map(({ status }) => status);
    if (!statuses.includes(429)) return { fault: "no 429 reached it" };
    return printed(output, "it works") ?? {};
  },
};

const compaction: Behaviour = {
  title: "compaction",
  async try(trial) {
    const { agent, place } = trial;
    if (agent.compact === undefined) return { absent: "has none, or none without a terminal" };
    const runs = agent.compact(
      place,
      `${MARK}? ${LONG} [[sim:say SUMMARY]]`,
      "and now? [[sim:say still works]]",
    );
    let output = "";
    for (const args of runs) output = await trial.run(args);
    return printed(output, "still works") ?? summed(trial) ?? {};
  },
};

/** Every column of the matrix. */
export const behaviours: readonly Behaviour[] = [answer, toolLoop, reasoning, parallel, retry, compaction];

/** The agent reads files at the model's wish, and the model repeats what stands in them. */
async function loop(
  trial: Trial,
  { files: count, thinks }: { files: number; thinks: boolean },
): Promise<Cell> {
  const { agent, place, notes } = trial;
  const { read } = agent;
  if (read === undefined) return { absent: "calls no tools" };
  const files = Object.keys(notes).slice(0, count);
  const prompt = [`${MARK}?`, ...files.map((file) => read(place, file)), thinks ? "[[sim:think]]" : ""].join(
    " ",
  );
  const output = await trial.run(agent.ask(place, prompt));
  for (const file of files) {
    const missing = printed(output, notes[file] ?? "");
    if (missing !== undefined) return missing;
  }
  return (
    reached(trial, (steps) => {
      if (!has(steps, "user", MARK)) return "the prompt is missing";
      if (thinks && travels(trial) && !steps.some(({ kind }) => kind === "thinking"))
        return "the reasoning is missing";
      for (const file of files) {
        if (!has(steps, "call", file)) return `the call for ${file} is missing`;
        if (!has(steps, "result", notes[file] ?? "")) return `the result of ${file} is missing`;
      }
      return unpaired(steps);
    }) ?? {}
  );
}

/** Whether the last question went without the long text, and with what a model made of it. */
function summed(trial: Trial): Cell | undefined {
  const asked = trial
    .received()
    .map(stepsOf)
    .findLast((steps) => has(steps, "user", "and now?"));
  if (asked === undefined) return { fault: "the question did not arrive" };
  if (asked.some(({ text }) => text.includes(LONG))) return { fault: "nothing was summed up" };
  const isThere = asked.some(({ text }) => text.includes("SUMMARY") || text.includes("echo:"));
  return isThere ? undefined : { fault: "the summary is missing" };
}

/** Requests of the conversation itself; agents ask for titles and the like beside it. */
function conversation(trial: Trial): readonly Received[] {
  return trial
    .received()
    .filter(({ method, body }) => method === "POST" && JSON.stringify(body ?? "").includes(MARK));
}

/** Checks the history in the last request of the conversation. */
function reached(trial: Trial, check: (steps: readonly Step[]) => string | undefined): Cell | undefined {
  const longest = conversation(trial)
    .map(stepsOf)
    .reduce<readonly Step[]>((most, steps) => (steps.length >= most.length ? steps : most), []);
  const fault = check(longest);
  return fault === undefined ? undefined : { fault };
}

/** Whether reasoning can go back: chat completions have no place for it, and Gemini CLI keeps signatures alone. */
function travels({ agent, provider }: Trial): boolean {
  const upstream =
    provider.title === "OpenAI" ? (agent.format === "responses" ? "responses" : "chat") : provider.title;
  if (upstream === "chat" || upstream === "chat only") return false;
  return agent.format === "gemini" ? upstream === "Gemini" : agent.format !== "chat";
}

function has(steps: readonly Step[], kind: Step["kind"], text: string): boolean {
  return steps.some((step) => step.kind === kind && step.text.includes(text));
}

function printed(output: string, wanted: string): Cell | undefined {
  return output.includes(wanted) ? undefined : { fault: `it printed: ${output.trim().slice(-600)}` };
}
