import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerText, legacyMessage, message, register, rpc, rpcStream } from "./support/a2a.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

type Task = { id: string; contextId: string; status: { state: string }; history: { role: string }[] };

const weather = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};

describe("A local agent", () => {
  let simulator: Simulator;
  let gateway: TestGateway;
  beforeAll(async () => {
    simulator = await startSimulator();
    gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: gpt-4o, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
`,
    });
    await register(gateway, {
      agent_name: "echo",
      agent_card_params: { name: "Echo", description: "Says it again" },
      gateway_params: { model: "gpt-4o", instructions: "Say it again." },
    });
    await register(gateway, {
      agent_name: "forecaster",
      gateway_params: { model: "gpt-4o", tools: [weather] },
    });
    await register(gateway, { agent_name: "broken", gateway_params: { model: "no-such-model" } });
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
  });

  it("answers a message with a completed task in the caller's version", async () => {
    const legacy = await rpc(gateway, "echo", "message/send", legacyMessage("hello"));
    expect(legacy.result).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ parts: [{ kind: "text", text: "echo: hello" }] }],
      history: [{ kind: "message", role: "user", parts: [{ kind: "text", text: "hello" }] }],
    });
    const current = await rpc(gateway, "echo", "SendMessage", message("hello"));
    expect(current.result).toMatchObject({
      task: {
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ parts: [{ text: "echo: hello" }] }],
        history: [{ role: "ROLE_USER", parts: [{ text: "hello" }] }],
      },
    });
  });

  it("streams the task, its states and the answer piece by piece, and ends", async () => {
    const text = "[[sim:tokens 60]] [[sim:delay 5]]";
    const kinds: string[] = [];
    let said = "";
    for await (const event of rpcStream(gateway, "echo", "message/stream", legacyMessage(text))) {
      const { kind, status, final, artifact } = event as Record<string, never> & { artifact?: never };
      kinds.push(
        `${kind} ${(status as { state?: string } | undefined)?.state ?? ""}${final === true ? " final" : ""}`,
      );
      said += answerText({ artifacts: artifact === undefined ? [] : [artifact] });
    }
    expect(kinds.slice(0, 2)).toEqual(["task submitted", "status-update working"]);
    expect(kinds.at(-1)).toBe("status-update completed final");
    expect(kinds.filter((kind) => kind.startsWith("artifact-update")).length).toBeGreaterThan(2);
    expect(said.length).toBeGreaterThan(100);
  });

  it("remembers what was said in the context, for its own tenant only", async () => {
    const first = (await rpc(gateway, "echo", "message/send", legacyMessage("one")))
      .result as unknown as Task;
    const { contextId } = first;
    const second = await rpc(gateway, "echo", "message/send", legacyMessage("two", { contextId }));
    expect(second.result).toMatchObject({ contextId, status: { state: "completed" } });
    expect(second.result.id).not.toBe(first.id);
    const listed = await rpc(gateway, "echo", "ListTasks", { contextId });
    expect((listed.result.tasks as Task[]).map(({ id }) => id)).toEqual([second.result.id, first.id]);
  });

  it("asks for input where the model calls a tool, and goes on with the result", async () => {
    const asked = await rpc(
      gateway,
      "forecaster",
      "message/send",
      legacyMessage('[[sim:tool weather {"city":"Oslo"}]]'),
    );
    expect(asked.result).toMatchObject({ status: { state: "input-required" } });
    const { id, status } = asked.result as unknown as Task & {
      status: { message: { parts: { data: Record<string, unknown> }[] } };
    };
    const call = status.message.parts[0]!.data;
    expect(call).toMatchObject({ name: "weather", arguments: { city: "Oslo" } });
    const parts = [{ kind: "data", data: { tool_call_id: call.tool_call_id, result: "rain" } }];
    const answered = await rpc(
      gateway,
      "forecaster",
      "message/send",
      legacyMessage("", { taskId: id, parts }),
    );
    expect(answered.result).toMatchObject({ id, status: { state: "completed" } });
    expect(answerText(answered.result)).toBe("tool said: rain");
  });

  it("answers at once where the caller does not want to wait, and goes on by itself", async () => {
    const params = legacyMessage("[[sim:latency 300]] later", {}, { blocking: false });
    const sent = (await rpc(gateway, "echo", "message/send", params)).result as unknown as Task;
    expect(sent.status.state).toBe("working");
    const task = await until(
      async () => (await rpc(gateway, "echo", "tasks/get", { id: sent.id })).result as unknown as Task,
      ({ status }) => status.state === "completed",
    );
    expect(answerText(task)).toContain("later");
  });

  it("cancels a running task: the model call ends and the task stays cancelled", async () => {
    const params = message("[[sim:tokens 2000]] [[sim:delay 20]]", {}, { returnImmediately: true });
    const earlier = simulator.received().length;
    const { task } = (await rpc(gateway, "echo", "SendMessage", params)).result as { task: Task };
    await until(() => simulator.received().length > earlier);
    const cancelled = await rpc(gateway, "echo", "CancelTask", { id: task.id });
    expect(cancelled.result).toMatchObject({ id: task.id, status: { state: "TASK_STATE_CANCELED" } });
    expect((await rpc(gateway, "echo", "CancelTask", { id: task.id })).error?.code).toBe(-32002);
    await until(() => simulator.received()[earlier]?.aborted);
    expect((await rpc(gateway, "echo", "GetTask", { id: task.id })).result).toMatchObject({
      status: { state: "TASK_STATE_CANCELED" },
    });
  });

  it("lets callers follow a running task again", async () => {
    const params = message("[[sim:tokens 150]] [[sim:delay 20]]", {}, { returnImmediately: true });
    const { task } = (await rpc(gateway, "echo", "SendMessage", params)).result as { task: Task };
    const events = [];
    for await (const event of rpcStream(gateway, "echo", "SubscribeToTask", { id: task.id }))
      events.push(event);
    expect(events[0]).toMatchObject({ task: { id: task.id } });
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
    expect((await rpc(gateway, "echo", "SubscribeToTask", { id: task.id })).error?.code).toBe(-32004);
  });

  it("answers messages that come while it works when it has answered what came before", async () => {
    const slow = message("[[sim:latency 2000]] first", {}, { returnImmediately: true });
    const { task } = (await rpc(gateway, "echo", "SendMessage", slow)).result as { task: Task };
    const taskId = task.id;
    const second = rpc(gateway, "echo", "SendMessage", message("second", { taskId }));
    const third = rpc(gateway, "echo", "SendMessage", message("third", { taskId }));
    for (const { result } of await Promise.all([second, third]))
      expect(result).toMatchObject({ task: { id: taskId, status: { state: "TASK_STATE_COMPLETED" } } });
    const { result } = await rpc(gateway, "echo", "GetTask", { id: taskId });
    expect((result as unknown as Task).history.map(({ role }) => role)).toEqual(Array(3).fill("ROLE_USER"));
    expect(answerText(result)).toMatch(/first.*(second|third)/s);
    const late = await rpc(gateway, "echo", "SendMessage", message("late", { taskId }));
    expect(late.error).toMatchObject({ code: -32004, message: expect.stringContaining("has ended") });
  });

  it("asks for input although a message came while the model called a tool", async () => {
    const text = '[[sim:latency 2000]] [[sim:tool weather {"city":"Oslo"}]]';
    const slow = message(text, {}, { returnImmediately: true });
    const { task } = (await rpc(gateway, "forecaster", "SendMessage", slow)).result as { task: Task };
    const more = message("and Rome", { taskId: task.id }, { returnImmediately: true });
    await rpc(gateway, "forecaster", "SendMessage", more);
    const asked = await until(
      async () => (await rpc(gateway, "forecaster", "GetTask", { id: task.id })).result as unknown as Task,
      ({ status }) => status.state === "TASK_STATE_INPUT_REQUIRED",
    );
    const answered = await rpc(gateway, "forecaster", "SendMessage", message("rain", { taskId: asked.id }));
    expect(answered.result).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  it("loses no turn that is asked for as soon as the one before rests", async () => {
    for (let round = 0; round < 10; round += 1) {
      const asked = await rpc(gateway, "forecaster", "SendMessage", message("[[sim:tool weather]]"));
      const { task } = asked.result as { task: Task };
      const answered = await rpc(gateway, "forecaster", "SendMessage", message("rain", { taskId: task.id }));
      expect(answered.result).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
    }
  });

  it("says so where its model does not exist", async () => {
    const { status, error } = await rpc(gateway, "broken", "message/send", legacyMessage("x"));
    expect(status).toBe(200);
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("no-such-model") });
  });
});
