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
  readonly #byProviderId = new Map<string, readonly ObjectRow[]>();

  insert(row: ObjectRow): void {
    if (this.#byId.has(row.id)) return;
    this.#byId.set(row.id, row);
    if (row.provider_id !== null) this.#byProviderId.set(nameOf(row), [...this.#alike(row), row]);
    if (this.#byId.size <= MAX_OBJECTS) return;
    const [oldest] = this.#byId.keys();
    this.delete(oldest!);
  }

  find(id: string): ObjectRow | undefined {
    return this.#byId.get(id);
  }

  findByProviderIds(kind: ObjectKind, providerIds: readonly string[]): ObjectRow[] {
    return providerIds.flatMap((provider_id) => this.#byProviderId.get(nameOf({ kind, provider_id })) ?? []);
  }

  delete(id: string): void {
    const row = this.#byId.get(id);
    if (row === undefined) return;
    this.#byId.delete(id);
    const others = this.#alike(row).filter((other) => other !== row);
    if (others.length === 0) this.#byProviderId.delete(nameOf(row));
    else this.#byProviderId.set(nameOf(row), others);
  }

  /** What its provider, or another one, calls by the same id. */
  #alike(row: ObjectRow): readonly ObjectRow[] {
    return this.#byProviderId.get(nameOf(row)) ?? [];
  }
}

function nameOf({ kind, provider_id }: Pick<ObjectRow, "kind" | "provider_id">): string {
  return `${kind} ${provider_id}`;
}
