import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../util/sha256.ts";
import { ConfiguredKeys } from "./configured-keys.ts";
import type { ConfiguredKey } from "./gateway-config.ts";

function keyOf(text: string, userId?: string, teamId?: string): ConfiguredKey {
  return {
    principal: {
      keyHash: sha256(text),
      keyAlias: `alias of ${text}`,
      userId,
      role: "internal_user",
      teamId,
      metadata: { ключ: [text, { deep: true }] },
      teamMetadata: {},
      allowedModelRegion: undefined,
      models: [],
      limits: { maxBudget: 0.1 },
      isMaster: false,
    },
    keyName: "sk-...abcd",
    expiresAt: undefined,
    blocked: false,
  };
}

describe("ConfiguredKeys", () => {
  it("finds each key at its place, and nobody else's", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.array(fc.string()), (texts, others) => {
        const keys = texts.map((text) => keyOf(text));
        const packed = ConfiguredKeys.of(keys);
        expect(packed.size).toBe(keys.length);
        for (const [place, key] of keys.entries()) {
          const { keyHash } = key.principal;
          expect(packed.find(keyHash)).toEqual(key);
          expect(packed.placeOf(keyHash)).toBe(place);
        }
        for (const other of others.filter((text) => !texts.includes(text))) {
          expect(packed.find(sha256(other))).toBeUndefined();
          expect(packed.placeOf(sha256(other))).toBeUndefined();
        }
      }),
    );
  });

  it("knows whose keys there are, users apart from teams", () => {
    const keys = ConfiguredKeys.of([keyOf("a", "ann"), keyOf("b", "ann", "blue"), keyOf("c", undefined, "")]);
    expect(["ann", "blue", ""].map((id) => keys.isOwner("user", id))).toEqual([true, false, false]);
    expect(["ann", "blue", ""].map((id) => keys.isOwner("team", id))).toEqual([false, true, true]);
  });
});
