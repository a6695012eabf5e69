import { afterEach, expect, it } from "vitest";
import type { Deployment } from "../src/contract/deployment.ts";
import type { Principal } from "../src/contract/principal.ts";
import { ObjectIdCodec } from "../src/core/objects/object-id.ts";
import { ObjectStore } from "../src/core/objects/object-store.ts";
import { Ownership, type OwnershipOptions } from "../src/core/objects/ownership.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";

const deployment: Deployment = {
  id: "dep-1",
  modelName: "gpt",
  provider: "openai",
  model: "gpt-4o",
  apiBase: undefined,
  apiKey: undefined,
  apiVersion: undefined,
  region: undefined,
  rpm: undefined,
  tpm: undefined,
  maxParallelRequests: undefined,
  weight: undefined,
  order: undefined,
  timeouts: {},
  prices: {},
  params: {},
  info: {},
};

function principal(teamId: string, more: Partial<Principal> = {}): Principal {
  return {
    keyHash: `hash of ${teamId}'s key`,
    keyAlias: undefined,
    userId: undefined,
    role: "internal_user",
    teamId,
    metadata: {},
    teamMetadata: {},
    allowedModelRegion: undefined,
    models: [],
    limits: {},
    isMaster: false,
    ...more,
  };
}

const blue = principal("blue");
const red = principal("red");
const admin = principal("ops", { role: "proxy_admin" });
const codec = new ObjectIdCodec("a secret of this test");
const origin = { deployment, provider: "openai" };

function ownership(objects: ObjectStore | undefined, more: Partial<OwnershipOptions> = {}): Ownership {
  return new Ownership({
    codec,
    objects,
    deployments: () => [deployment],
    deploymentAt: (deployment) => deployment,
    deploymentsOf: (model) => (model === deployment.modelName ? [deployment] : []),
    permits: () => true,
    providers: ["openai", "azure"],
    scope: () => "auto",
    allowsProviderIds: () => true,
    ...more,
  });
}

it("finds the way back without a store", async () => {
  const own = ownership(undefined);
  const id = await own.register("batch", blue, origin, "batch_0a");
  expect(await own.locate("batch", id, blue)).toMatchObject({ id, providerId: "batch_0a", origin });
  await expect(own.locate("batch", id, red)).rejects.toMatchObject({ status: 404 });
  const direct = { deployment: undefined, provider: "azure" };
  const directId = await own.register("video", blue, direct, "video_0a");
  expect((await own.locate("video", directId, blue)).origin).toEqual(direct);
});

describeOnEachStore("Ownership", (opener) => {
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });

  async function objects(): Promise<ObjectStore> {
    const store = await opener.open();
    stores.push(store);
    return new ObjectStore(store);
  }

  it("shows an object to its tenant and to admins, and to nobody else", async () => {
    const own = ownership(await objects());
    const id = await own.register("file", blue, origin, "file-blue");
    expect((await own.locate("file", id, blue)).row?.tenant).toBe("team:blue");
    expect((await own.locate("file", id, admin)).providerId).toBe("file-blue");
    await expect(own.locate("file", id, red)).rejects.toMatchObject({ status: 404 });
    await expect(own.locate("batch", id, blue)).rejects.toMatchObject({ status: 404 });
  });

  it("hides another tenant's object under its provider id as well", async () => {
    const own = ownership(await objects());
    await own.register("file", blue, origin, "file-hidden");
    await expect(own.locate("file", "file-hidden", red)).rejects.toMatchObject({ status: 404 });
    expect(await own.locate("file", "file-hidden", blue)).toMatchObject({
      providerId: "file-hidden",
      origin,
    });
    expect(await own.locate("file", "file-unheard-of", red)).toMatchObject({
      providerId: "file-unheard-of",
      origin: undefined,
    });
  });

  it("refuses ids that it did not issue when the configuration says so", async () => {
    const own = ownership(await objects(), { allowsProviderIds: () => false });
    await expect(own.locate("file", "file-unheard-of", blue)).rejects.toMatchObject({ status: 404 });
  });

  it("understands LiteLLM's ids, with the same protection", async () => {
    const own = ownership(await objects());
    await own.register("video", blue, origin, "video_blue");
    const text = "litellm:custom_llm_provider:openai;model_id:dep-1;video_id:video_blue";
    const id = `video_${Buffer.from(text).toString("base64")}`;
    expect(await own.locate("video", id, blue)).toMatchObject({ id, providerId: "video_blue", origin });
    await expect(own.locate("video", id, red)).rejects.toMatchObject({ status: 404 });
  });

  it("keeps objects that only the gateway has, and pages through a tenant's", async () => {
    const store = await objects();
    const own = ownership(store);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++)
      ids.push(await own.create("batch", blue, "gateway", { createdAt: 1000 + i, data: { i } }));
    await own.create("batch", red, "gateway");
    const first = await store.list({ kind: "batch", tenant: "team:blue", limit: 3 });
    const rest = await store.list({ kind: "batch", tenant: "team:blue", limit: 3, after: first.at(-1)! });
    expect([...first, ...rest].map((row) => row.id)).toEqual(ids.toReversed());
    expect((await own.locate("batch", ids[0]!, blue)).providerId).toBeUndefined();
    await own.forget(ids[0]!);
    expect(await store.find(ids[0]!)).toBeUndefined();
  });

  it("keeps ids within 64 characters, however long the provider's are", async () => {
    const own = ownership(await objects());
    const providerId = `cntr_${"Zz9".repeat(40)}`;
    const id = await own.register("container", blue, origin, providerId);
    expect(id.length).toBeLessThanOrEqual(64);
    expect(own.idFor("container", blue, origin, providerId)).toBe(id);
    expect(await own.locate("container", id, blue)).toMatchObject({ providerId, origin });
    await expect(own.locate("container", id, red)).rejects.toMatchObject({ status: 404 });
  });

  it("keeps the provider of an object whose deployment is gone", async () => {
    const store = await objects();
    const id = await ownership(store).register("container", blue, origin, "cntr_0a");
    const later = ownership(store, { deployments: () => [] });
    expect((await later.locate("container", id, blue)).origin).toEqual({
      deployment: undefined,
      provider: "openai",
    });
  });
});
