import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import type { Operation } from "../operations.ts";
import { addressOf, ask, examples, type Ids, successOf } from "../requests.ts";
import { type Kind, keys, type Stage } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";

const waitsForNobody: Exemption = {
  why: "takes no body and waits for no provider",
  check: async (stage, operation) => {
    expect((await ask(stage, operation)).status).toBe(successOf(operation));
    expect(stage.asked()).toEqual([]);
  },
};

const takesBody = ({ json, takesForm, takesFields }: Operation): boolean =>
  json !== undefined || takesForm || takesFields;

export const timeouts: Column = {
  name: "time-outs",
  about:
    "a body that stops coming is 408 after `body_timeout`; a provider that does not answer is 504 after `request_timeout`",
  stage: () => ({ timeouts: true }),
  exempt: (operation) =>
    takesBody(operation) || examples[operation.id]!.isBound ? undefined : waitsForNobody,
  holds: async (stage, operation, form) => {
    const { needs, isBound, hasOwnAnswer, isKept, isTask } = examples[operation.id]!;
    const ids = needs === undefined ? {} : await madeInTime(stage, needs);
    if (takesBody(operation)) expect(await stalled(stage, operation, form, ids)).toBe("408");
    if (!isBound || isKept === true) return;
    stage.simulator.setFault({ path: "/", fault: "hang", times: "forever" });
    try {
      const { status, body } = await ask(stage, operation, { form, ids });
      if (isTask === true) expect(body).toContain("TASK_STATE_FAILED");
      else if (!(hasOwnAnswer === true && status === 200))
        expect([status, body]).toEqual([504, expect.stringMatching(/timeout_error|DEADLINE_EXCEEDED/)]);
    } finally {
      await fetch(`${stage.simulator.url}/_admin/faults`, { method: "DELETE" });
    }
  },
};

/** The status for a body of which only the first bytes come. */
async function stalled(stage: Stage, operation: Operation, form: string, ids: Ids): Promise<string> {
  const { hostname, port } = new URL(stage.gateway.url);
  const isAdmins = operation.access === "admin" || examples[operation.id]!.byAdmin === true;
  const key = isAdmins ? stage.gateway.masterKey : keys.alice;
  const type = operation.takesForm
    ? "multipart/form-data; boundary=x"
    : operation.takesFields
      ? "application/x-www-form-urlencoded"
      : "application/json";
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(
    `${operation.method} ${addressOf(operation, form, ids)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: ${type}\r\ncontent-length: 1000\r\nconnection: close\r\n\r\n--x`,
  );
  return /HTTP\/1\.1 (\d{3})/.exec(await text(socket))?.[1] ?? "none";
}

/** What an operation needs; on a crowded machine the short time-out may hit its making too. */
async function madeInTime(stage: Stage, needs: Kind): Promise<Ids> {
  for (;;) {
    const made = await stage.make(needs).catch((error: Error) => error);
    if (!(made instanceof Error)) return made;
    if (!made.message.includes("504")) throw made;
  }
}
