import { expect } from "vitest";
import type { Operation } from "../operations.ts";
import { ask, examples, type Ids, kindOf, successOf } from "../requests.ts";
import { keys, type Stage } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";

const open: Exemption = {
  why: "open to everybody: it shows nothing of a tenant",
  check: async (stage, operation) => {
    const { status } = await ask(stage, operation, { key: "nobody's" });
    expect(status).toBe(successOf(operation));
  },
};

const ownSession: Exemption = {
  why: "ends the session that asks, whatever binds it, and no other: a key that is none gets 400",
  check: async (stage, operation) => {
    const ids = await stage.make("session");
    for (const key of [keys.bob, keys.elsewhere, keys.narrow, keys.spent])
      expect((await ask(stage, operation, { ids, key })).status).toBe(400);
    expect((await stage.gateway.call("/sso/session", { key: ids.session! })).status).toBe(200);
    expect((await ask(stage, operation, { ids })).status).toBe(200);
    expect((await stage.gateway.call("/sso/session", { key: ids.session! })).status).toBe(401);
  },
};

const shared: Exemption = {
  why: "agents belong to the gateway (specification, Agents): every key may look after them",
  check: async (stage, operation) => {
    expect(operation.path).toMatch(/agent/);
    expect((await ask(stage, operation, { key: keys.bob })).status).toBe(200);
  },
};

const namesNothing: Exemption = {
  why: "names nothing that somebody has made",
  check: (_stage, operation) => {
    expect(operation.ids.filter((name) => kindOf(name, operation.path) !== undefined)).toEqual([]);
    expect(examples[operation.id]!.needs).toBeUndefined();
  },
};

export const tenant: Column = {
  name: "tenant",
  about:
    "another tenant's object is 404, as if it were not there, stays what it is, and is in no list; operations of administrators are 403, and so is what the role of a key may not ask for",
  exempt: (operation) => {
    const { needs, lists, isPersonal, isShared } = examples[operation.id]!;
    if (operation.access === "public") return open;
    if (needs === "session") return ownSession;
    if (isShared) return shared;
    const isNamed = needs !== undefined || lists !== undefined || isPersonal === true;
    return isNamed || operation.access === "admin" ? undefined : namesNothing;
  },
  holds: async (stage, operation, form) => {
    const { needs, lists, isPersonal, byAdmin, isManaged } = examples[operation.id]!;
    if (isPersonal === true) {
      const [hers, his] = [await ask(stage, operation), await ask(stage, operation, { key: keys.bob })];
      expect([hers.status, his.status]).toEqual([200, 200]);
      expect(his.body).not.toBe(hers.body);
      return;
    }
    if (lists !== undefined) {
      const id = (await stage.make(lists))[lists]!;
      expect((await ask(stage, operation, { form })).body).toContain(id);
      expect((await ask(stage, operation, { form, key: keys.bob })).body).not.toContain(id);
      return;
    }
    const ids: Ids = needs === undefined ? {} : await stage.make(needs);
    const { status, body } = await ask(stage, operation, { form, ids, key: keys.bob });
    const isForRoles = operation.access === "admin" || (byAdmin === true && isManaged !== true);
    const wanted = isManaged === true && status === 403 ? 403 : isForRoles ? 403 : 404;
    expect([status, body]).toEqual([wanted, expect.anything()]);
    expect(stage.asked()).toEqual([]);
    expect((await ask(stage, operation, { form, ids })).status).toBe(successOf(operation));
  },
};

const unbound: Exemption = {
  why: "leads to no deployment, and to nothing that one has made",
  check: async (stage, operation) => {
    const { status } = await ask(stage, operation);
    expect(status).toBe(successOf(operation));
    expect(stage.asked()).toEqual([]);
    if (operation.access === "admin" || examples[operation.id]!.byAdmin) return;
    for (const key of [keys.elsewhere, keys.narrow])
      expect((await ask(stage, operation, { key })).status).toBe(successOf(operation));
  },
};

/** The rule that a key is bound to some deployments, tried with one that may use none of those that there are. */
function bound(name: string, about: string, key: string): Column {
  return {
    name,
    about,
    exempt: (operation) => {
      const { isBound, shows, needs } = examples[operation.id]!;
      if (needs === "session") return ownSession;
      return isBound || shows === true ? undefined : unbound;
    },
    holds: async (stage, operation, form) => {
      const { shows, hasOwnAnswer } = examples[operation.id]!;
      const { status, body } = await ask(stage, operation, { form, key });
      expect(stage.asked()).toEqual([]);
      if (shows === true) for (const word of ["gpt", "openai"]) expect(shown(body)).not.toContain(word);
      else if (!(hasOwnAnswer === true && status === 200))
        expect([status, body]).toEqual([403, expect.anything()]);
    },
  };
}

/** What a page shows; a refusal repeats what was asked for. */
function shown(body: string): string {
  return body.includes('"error":') ? "" : body;
}

export const region = bound(
  "region",
  "a key that is bound to another region gets 403, and no provider is asked",
  keys.elsewhere,
);

export const models = bound(
  "model list",
  "a key that may use other models gets 403, and no provider is asked; lists show it nothing of them",
  keys.narrow,
);

const free: Exemption = {
  why: "costs nothing: a key whose budget is spent may ask",
  check: async (stage, operation: Operation) => {
    if (operation.access === "admin" || examples[operation.id]!.byAdmin) return;
    expect((await ask(stage, operation, { key: keys.spent })).status).toBe(successOf(operation));
  },
};

export const budget: Column = {
  name: "budget",
  about: "a key whose budget is spent gets 402, and no provider is asked, but for what costs nothing",
  exempt: (operation) => {
    const { costs, needs } = examples[operation.id]!;
    if (needs === "session") return ownSession;
    return costs ? undefined : free;
  },
  holds: async (stage: Stage, operation, form) => {
    const { status, body } = await ask(stage, operation, { form, key: keys.spent });
    expect([status, body]).toEqual([402, expect.stringContaining("budget")]);
    expect(stage.asked()).toEqual([]);
  },
};
