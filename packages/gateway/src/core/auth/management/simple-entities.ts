import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../contract/json.ts";
import { parseJsonBody } from "../../../contract/json-body.ts";
import type { Schema } from "../../../contract/schema.ts";
import { type LimitSettings, limitsOf } from "../fields/limits-of.ts";
import type { Change } from "../records/change.ts";
import {
  deleteEntity,
  type EntityFields,
  entityObject,
  findEntity,
  insertEntity,
  mergedSettings,
  missing,
  readEntityFields,
  updateEntity,
} from "../records/entities.ts";
import type { EntityRow } from "../records/entity-tables.ts";
import { resetShown, withSpend } from "./entity-spend.ts";
import type { KeyManagement } from "./key-management.ts";
import { changing, type Managed } from "./management.ts";
import { MAX_LIST } from "./paging.ts";

/** What customers, budgets and tags have in common: nobody is in them, and proxy administrators alone manage them. */
export class SimpleEntities {
  readonly #fields: EntityFields;

  constructor(fields: EntityFields) {
    this.#fields = fields;
  }

  async create(managed: Managed, schema: Schema<JsonObject>): Promise<JsonObject> {
    const { type } = this.#fields;
    const body = await parseJsonBody(managed.exchange);
    const { [type.idField]: id, alias, ...settings } = readEntityFields(this.#fields, schema, body);
    const row = await changing(managed, (under) => {
      return insertEntity(under, type, (id as string | null) ?? randomUUID(), {
        alias: alias as string | null,
        settings: mergedSettings({}, settings),
      });
    });
    return (await this.#shown(managed.parts, [row]))[0]!;
  }

  async update(managed: Managed, schema: Schema<JsonObject>): Promise<JsonObject> {
    const { type } = this.#fields;
    const body = await parseJsonBody(managed.exchange);
    const { [type.idField]: id, alias, ...settings } = readEntityFields(this.#fields, schema, body);
    const row = await changing(managed, async (under) => {
      return updateEntity(under, type, id as string, (_, stored) => ({
        alias: alias as string | null | undefined,
        settings: mergedSettings(stored, settings),
      }));
    });
    return (await this.#shown(managed.parts, [row]))[0]!;
  }

  /** @param verify throws where one must not go */
  delete(
    managed: Managed,
    ids: readonly string[],
    verify?: (under: Change, id: string) => Promise<void>,
  ): Promise<JsonObject[]> {
    const { type } = this.#fields;
    return changing(managed, async (under) => {
      const deleted: JsonObject[] = [];
      for (const id of new Set(ids)) {
        await verify?.(under, id);
        deleted.push(entityObject(type, await deleteEntity(under, type, id)));
      }
      return deleted;
    });
  }

  /** Refuses entities from now on, or accepts them again. One that is not there is made, so that it is refused. */
  async setBlocked(managed: Managed, ids: readonly string[], blocked: boolean): Promise<JsonObject[]> {
    const { type } = this.#fields;
    const rows = await changing(managed, async (under) => {
      const changed: EntityRow[] = [];
      for (const id of new Set(ids)) {
        if (blocked && (await findEntity(under, type.kind, id)) === undefined)
          await insertEntity(under, type, id, { settings: {} });
        const valuesOf = (_: unknown, stored: JsonObject) => ({ settings: { ...stored, blocked } });
        const action = blocked ? "blocked" : "unblocked";
        changed.push(await updateEntity(under, type, id, valuesOf, action));
      }
      return changed;
    });
    return this.#shown(managed.parts, rows);
  }

  /** @throws GatewayError 404 */
  async show({ parts }: Managed, id: string): Promise<JsonObject> {
    const { type } = this.#fields;
    const row = await parts.entities.find(type.kind, id);
    if (row === undefined) throw missing(type, id);
    return (await this.#shown(parts, [row]))[0]!;
  }

  async list({ parts }: Managed): Promise<JsonObject[]> {
    const { type } = this.#fields;
    const { rows } = await parts.entities.list(type.kind, {}, 0, MAX_LIST);
    return this.#shown(parts, rows);
  }

  /** Nothing is spent under a budget itself: each that names it has it for itself. */
  async #shown(parts: KeyManagement, rows: readonly EntityRow[]): Promise<JsonObject[]> {
    const { type } = this.#fields;
    const objectOf = (row: EntityRow) => entityObject(type, row);
    if (type.kind !== "budget") return withSpend(parts, rows, objectOf);
    return rows.map((row) => {
      const object = objectOf(row);
      return { ...object, ...resetShown(parts, limitsOf(object as LimitSettings)) };
    });
  }
}
