import type { OwnerKind } from "../../../contract/owner-name.ts";
import type { Store } from "../../../platform/store/schema.ts";

/** What was deleted, by its id; of a key by its hash. */
interface RetiredOwnerRow {
  kind: OwnerKind;
  id: string;
  /** How often. */
  times: number;
}

declare module "../../../platform/store/schema.ts" {
  interface Schema {
    retired_owners: RetiredOwnerRow;
  }
}

/** Notes that an owner is gone. Whatever is made under its id later is another one. */
export async function retireOwner(db: Store["db"], kind: OwnerKind, id: string): Promise<void> {
  await db
    .insertInto("retired_owners")
    .values({ kind, id, times: 1 })
    .onConflict((conflict) =>
      conflict.columns(["kind", "id"]).doUpdateSet((eb) => ({ times: eb("retired_owners.times", "+", 1) })),
    )
    .execute();
}

/** The number of owners that had an id before. */
export async function generationOf(db: Store["db"], kind: OwnerKind, id: string): Promise<number> {
  const retired = db.selectFrom("retired_owners").select("times");
  const row = await retired.where("kind", "=", kind).where("id", "=", id).executeTakeFirst();
  return row?.times ?? 0;
}
