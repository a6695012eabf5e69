import { describe, expect, it } from "vitest";
import { anonymous, type Principal } from "../../contract/principal.ts";
import { requireGrant } from "./grant.ts";

const may = (principal: Partial<Principal>, route = "/openai/v1/evals/1"): boolean => {
  try {
    requireGrant({ ...anonymous, ...principal }, route);
    return true;
  } catch {
    return false;
  }
};
const own = (...routes: string[]) => ({ passThrough: { routes, isOwn: true } });
const ofTeam = (...routes: string[]) => ({ passThrough: { routes, isOwn: false } });

describe("requireGrant", () => {
  it("lets administrators pass, and nobody else without a grant", () => {
    expect([may({ isMaster: true }), may({ role: "proxy_admin" })]).toEqual([true, true]);
    expect([may({}), may({ role: "proxy_admin_viewer" })]).toEqual([false, false]);
  });

  it("lets pass what is at an entry or below it", () => {
    expect(may(own("/openai"))).toBe(true);
    expect(may(own("/openai/v1/evals/"))).toBe(true);
    expect(may(own("/openai/*/evals/*"))).toBe(true);
    expect(may(own("/openai/v1/eval"))).toBe(false);
    expect(may(own("/openai/v1/evals/12"))).toBe(false);
    expect(may(own("/anthropic"))).toBe(false);
  });

  it("wants a list of the key's own where models or a region bind it", () => {
    for (const bound of [{ models: ["a"] }, { modelLists: [["a"]] }, { allowedModelRegion: "eu" }]) {
      expect(may({ ...bound, ...ofTeam("/openai") })).toBe(false);
      expect(may({ ...bound, ...own("/openai") })).toBe(true);
      expect(may({ ...bound, role: "proxy_admin" })).toBe(false);
    }
    expect(may(ofTeam("/openai"))).toBe(true);
  });
});
