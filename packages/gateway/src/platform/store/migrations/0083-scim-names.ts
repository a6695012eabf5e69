import type { Migration } from "kysely/migration";

/**
 * Identity providers find users and groups by the names that they gave them, which stood in the alias alone, where anybody
 * who may rename them changes it: the names of those that SCIM has made are kept apart from here on.
 */
export const scimNames: Migration = {
  async up(db) {
    const made = await db
      .selectFrom("entities")
      .select(["kind", "id", "alias", "settings"])
      .where("kind", "in", ["user", "team"])
      .where("alias", "is not", null)
      .where("settings", "like", '%"scim":{%')
      .execute();
    for (const { kind, id, alias, settings } of made) {
      const { scim, ...others } = JSON.parse(settings) as Record<string, unknown>;
      const named = { name: alias, name_key: (alias as string).toLowerCase(), ...(scim as object) };
      await db
        .updateTable("entities")
        .set({ settings: JSON.stringify({ ...others, scim: named }) })
        .where("kind", "=", kind)
        .where("id", "=", id)
        .execute();
    }
  },
};
