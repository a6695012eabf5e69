import type { ObjectKind } from "./object-kind.ts";
import type { ObjectRow } from "./objects-table.ts";

/** Objects remembered; the oldest are forgotten first. */
const MAX_OBJECTS = 50_000;

/**
 * What this process has handed out, for gateways without a persistent store: an id of ours says whose it is, but the
 * provider's own id of the same object does not.
 */
export class IssuedObjects {
  readonly #byId = new Map<string, ObjectRow>();
  readonly #byProviderId = new Map<string, ObjectRow>();

  insert(row: ObjectRow): void {
    if (this.#byId.has(row.id)) return;
    this.#byId.set(row.id, row);
    if (row.provider_id !== null) this.#byProviderId.set(`${row.kind} ${row.provider_id}`, row);
    if (this.#byId.size <= MAX_OBJECTS) return;
    const [oldest] = this.#byId.keys();
    this.delete(oldest!);
  }

  find(id: string): ObjectRow | undefined {
    return this.#byId.get(id);
  }

  findByProviderIds(kind: ObjectKind, providerIds: readonly string[]): ObjectRow[] {
    return providerIds.flatMap((id) => this.#byProviderId.get(`${kind} ${id}`) ?? []);
  }

  delete(id: string): void {
    const row = this.#byId.get(id);
    if (row === undefined) return;
    this.#byId.delete(id);
    this.#byProviderId.delete(`${row.kind} ${row.provider_id}`);
  }
}
