import { expect } from "vitest";
import { ask, examples, successOf } from "../requests.ts";
import { keys } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";

const CUSTOMER = { "x-customer": "somebody" };

const freeToo: Exemption = {
  why: "costs nothing: no budget is asked",
  check: async (stage, operation) => {
    if (operation.access === "admin" || examples[operation.id]!.byAdmin) return;
    expect((await ask(stage, operation, { headers: CUSTOMER })).status).toBe(successOf(operation));
  },
};

export const customer: Column = {
  name: "customers",
  about:
    "what costs something is 402 for a customer whom a header of `user_header_mappings` names and whose `max_end_user_budget` is spent, and no provider is asked",
  stage: () => ({
    more: "litellm_settings: {max_end_user_budget: 0}",
    general: "user_header_mappings: [{header_name: X-Customer, litellm_user_role: customer}]",
  }),
  exempt: ({ id }) => (examples[id]!.costs ? undefined : freeToo),
  holds: async (stage, operation, form) => {
    const { status, body } = await ask(stage, operation, { form, headers: CUSTOMER });
    expect([status, body]).toEqual([402, expect.stringMatching(/budget/i)]);
    expect(stage.asked()).toEqual([]);
  },
};

/** Has every example's objects made, whose calls have the field. */
const FIELD = "metadata.project";

const isAnswered: Exemption["check"] = async (stage, operation) => {
  const { byAdmin, needs } = examples[operation.id]!;
  if (operation.access === "admin" || byAdmin === true || needs === "session") return;
  expect((await ask(stage, operation, { key: keys.alice })).status).toBe(successOf(operation));
};

const noCall: Exemption = {
  why: "has no model work: it reads, counts, keeps or looks after something",
  check: isAnswered,
};

const inRows: Exemption = {
  why: "the fields stand in each of the requests that it is made of",
  check: isAnswered,
};

/** What is paid for and still has no model work. */
const KEEPS = /^(?:count|createFile|(?:create|update)Conversation|createConversationItems|createContainer)/;

export const fields: Column = {
  name: "fields",
  about: "a call without one of the `enforced_params` is refused by its name, and no provider is asked",
  stage: () => ({ general: `enforced_params: [${FIELD}]` }),
  exempt: ({ id }) => {
    if (id === "createBatch" || id === "createMessageBatch") return inRows;
    return examples[id]!.costs && !KEEPS.test(id) ? undefined : noCall;
  },
  holds: async (stage, operation, form) => {
    const { status, body } = await ask(stage, operation, { form });
    const asked = stage.asked();
    // An agent's refusal is an answer of its protocol.
    expect([status, body]).toEqual([
      operation.path.includes("a2a") ? 200 : 400,
      expect.stringContaining(FIELD),
    ]);
    expect(asked).toEqual([]);
    const { body: example, needs } = examples[operation.id]!;
    const ids = needs === undefined ? {} : await stage.make(needs);
    const given = example!(ids);
    const metadata = { project: "p" };
    const { params } = given;
    const said =
      params === undefined ? { ...given, metadata } : { ...given, params: { ...params, metadata } };
    expect((await ask(stage, operation, { form, ids, body: said })).body).not.toContain(FIELD);
  },
};
