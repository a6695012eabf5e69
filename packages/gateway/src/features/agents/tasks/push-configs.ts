import { randomUUID } from "node:crypto";
import { checkCallerUrl } from "../../../platform/transport/address-guard.ts";
import { A2AError } from "../protocol/a2a-error.ts";
import type { ProtocolVersion, PushConfig } from "../protocol/a2a-types.ts";
import type { PushConfigStore } from "./push-config-store.ts";
import type { A2APushRow } from "./table.ts";

/** Configurations that one task may have. */
const MAX_PER_TASK = 20;

/** Where the changes of tasks are posted. Credentials that a caller left here are shown to the same tenant only. */
export class PushConfigs {
  readonly #store: PushConfigStore;
  readonly #allowPrivateNetworks: () => boolean;

  constructor(store: PushConfigStore, allowPrivateNetworks: () => boolean) {
    this.#store = store;
    this.#allowPrivateNetworks = allowPrivateNetworks;
  }

  /** @throws A2AError -32602 for an address that leads into private networks, or one configuration too many */
  async set(
    taskId: string,
    target: Omit<PushConfig, "taskId" | "id"> & { id?: string },
    version: ProtocolVersion,
  ): Promise<PushConfig> {
    this.check(target.url);
    const config: PushConfig = { ...target, taskId, id: target.id ?? randomUUID() };
    const known = await this.#store.list(taskId);
    if (known.length >= MAX_PER_TASK && !known.some(({ id }) => id === config.id))
      throw new A2AError("invalidParams", `A task may have ${MAX_PER_TASK} push notification configurations`);
    await this.#store.put({
      task_id: taskId,
      id: config.id,
      version,
      config: JSON.stringify(config),
      created_at: Date.now(),
    });
    return config;
  }

  /** @throws A2AError -32602 */
  check(url: string): void {
    if (this.#allowPrivateNetworks()) return;
    try {
      checkCallerUrl(url);
    } catch (error) {
      throw new A2AError("invalidParams", (error as Error).message, { cause: error });
    }
  }

  /** The configuration with this id; without one the task's first. */
  async get(taskId: string, id: string | undefined): Promise<PushConfig> {
    const row = id === undefined ? (await this.#store.list(taskId))[0] : await this.#store.find(taskId, id);
    if (row === undefined)
      throw new A2AError("taskNotFound", "The task has no such push notification configuration");
    return read(row);
  }

  async list(taskId: string): Promise<PushConfig[]> {
    return (await this.#store.list(taskId)).map(read);
  }

  /** Deleting what is not there is no error: the caller wanted it gone. */
  async delete(taskId: string, id: string): Promise<void> {
    await this.#store.delete(taskId, id);
  }
}

function read(row: A2APushRow): PushConfig {
  return JSON.parse(row.config) as PushConfig;
}
