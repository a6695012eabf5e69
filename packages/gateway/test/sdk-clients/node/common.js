// What the checks of the Node.js clients share: tools, prompts, and how a behaviour's outcome is told.
import assert from "node:assert/strict";

export const url = process.env.GATEWAY_URL;
export const key = process.env.GATEWAY_KEY;
export const model = process.env.GATEWAY_MODEL;
export const way = process.argv[2];

export const ASK = "hello";
export const ANSWER = "echo: hello";
// The simulator calls all tools, and after their results what the clock's result asks for.
export const ASK_TOOLS = "kumquat? [[sim:parallel]]";
export const ASK_CITY = "a city";
export const ASK_429 = "[[sim:fault status=429;message=slow down]]";

export const citySchema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export let calls = [];

export const tools = {
  weather: {
    description: "Tells the weather in a city.",
    run: () => {
      calls.push("weather");
      return "sunny";
    },
  },
  clock: {
    description: "Tells the time in a city.",
    run: () => {
      calls.push("clock");
      return "noon [[sim:tool weather]]";
    },
  },
};

/** The second round called the weather alone, and its result is in the answer. */
export function checkLoop(text) {
  assert.deepEqual(calls.toSorted(), ["clock", "weather", "weather"], `said ${text}`);
  assert.match(text, /sunny/);
}

/** The error reaches the program as its client's own, with the status and a message. */
export async function check429(ask, isExpected) {
  let answer;
  try {
    answer = await ask();
  } catch (error) {
    assert.ok(isExpected(error), String(error));
    assert.match(String(error.message), /slow down|429/);
    return;
  }
  assert.fail(`no error, but ${JSON.stringify(answer)}`);
}

/** Lets the provider's next answer be a 429. */
export async function failOnce() {
  const rule = {
    method: "POST",
    path: process.env.SIMULATOR_PATH,
    fault: "status=429;retry-after=1",
    times: 1,
  };
  await fetch(`${process.env.SIMULATOR_URL}/_admin/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(rule),
  });
}

/** Tries each behaviour that the client has and prints a line of JSON for it. */
export async function run(behaviours) {
  for (const [behaviour, check] of Object.entries(behaviours)) {
    calls = [];
    let fault = null;
    try {
      await check();
    } catch (error) {
      fault = String(error?.stack ?? error);
    }
    process.stdout.write(`CELL ${JSON.stringify({ behaviour, fault })}\n`);
  }
}
