import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deploymentTag, ObjectIdCodec, tenantTag } from "./object-id.ts";
import { type ObjectKind, objectKinds } from "./object-kind.ts";

const codec = new ObjectIdCodec("a secret of this test");
const kinds = Object.keys(objectKinds) as ObjectKind[];

describe("ObjectIdCodec", () => {
  it("opens what it made, for any provider id", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.string(),
        fc.string(),
        fc.string({ minLength: 1, unit: "grapheme-ascii" }),
        (kind, tenant, deployment, providerId) => {
          expect(codec.mint(kind, tenant, deployment, providerId)).toHaveLength(
            codec.mintedLength(kind, providerId),
          );
          expect(codec.open(codec.mint(kind, tenant, deployment, providerId))).toEqual({
            kind,
            tenantTag: tenantTag(tenant),
            deploymentTag: deploymentTag(deployment),
            providerId,
          });
        },
      ),
    );
  });

  it.each(["resp_", "cntr_", "video_", "batch_"])(
    "keeps ids of %s objects within 64 characters",
    (prefix) => {
      const kind = kinds.find((name) => objectKinds[name].prefix === prefix)!;
      expect(
        codec.mint(kind, "team:a", "d", `${prefix}${"68f0c1d2a4b3".repeat(4)}`).length,
      ).toBeLessThanOrEqual(64);
    },
  );

  it("gives one object one id, on every codec with the same secret", () => {
    const again = new ObjectIdCodec("a secret of this test");
    expect(again.mint("file", "team:a", "d", "file-1")).toBe(codec.mint("file", "team:a", "d", "file-1"));
  });

  it("does not open an id with any character changed, another prefix or another secret", () => {
    const id = codec.mint("batch", "team:a", "d", "batch_00ff");
    for (let i = 6; i < id.length; i++) {
      const forged = id.slice(0, i) + (id[i] === "A" ? "B" : "A") + id.slice(i + 1);
      expect(codec.open(forged)).toBeUndefined();
    }
    expect(codec.open(id.replace("batch_", "video_"))).toBeUndefined();
    expect(new ObjectIdCodec("another").open(id)).toBeUndefined();
  });

  it("does not open provider ids and garbage", () => {
    for (const id of ["", "batch_", "batch_68f0c1d2", "file-abc", "resp_%%%", "x".repeat(5000)]) {
      expect(codec.open(id)).toBeUndefined();
    }
  });
});
