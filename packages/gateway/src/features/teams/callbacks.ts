import { notFound, shortened } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import type { OwnCallback } from "../../contract/own-callback.ts";
import { requireKnownMetadata } from "../../core/auth/fields/known-metadata.ts";
import {
  callbackBody,
  callbacksIn,
  maskedCallbacks,
  sealedCallback,
  sealedCallbacks,
  withCallback,
} from "../../core/auth/fields/own-callbacks.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { missing, settingsObject, TEAM, updateEntity } from "../../core/auth/records/entities.ts";
import { changingTeam, requireTeam, targetOf } from "./team.ts";

/** Gives a team a destination for the spans of its calls. */
export async function addCallback(managed: Managed): Promise<JsonObject> {
  const added = sealedCallback(await parseJsonBody(managed.exchange, callbackBody), managed.parts);
  return { status: "success", data: await changeCallbacks(managed, (before) => withCallback(before, added)) };
}

/** What a team has; without what is secret. */
export async function listCallbacks({ exchange, parts, actor }: Managed): Promise<JsonObject> {
  const { team_id: id = "" } = exchange.params;
  const row = await parts.entities.find("team", id);
  if (row === undefined || !actor.reaches(targetOf(row))) throw missing(TEAM, id);
  const callbacks = callbacksIn(settingsObject(row).logging);
  return { status: "success", data: { ...namesOf(id, callbacks), callback_vars: varsOf(callbacks) } };
}

/** Takes a destination away, for whatever calls it was; without any, those of the configuration are in force. */
export async function deleteCallback(managed: Managed): Promise<JsonObject> {
  const { team_id: id = "", callback_name: name = "" } = managed.exchange.params;
  let left: readonly OwnCallback[] = [];
  await changeCallbacks(managed, (before) => {
    left = before.filter((each) => each.callback_name !== name);
    if (left.length === before.length) throw notFound(`The team has no callback ${shortened(name)}`);
    return left.length === 0 ? undefined : left;
  });
  const message = `Callback ${name} removed for team ${id}`;
  return { status: "success", message, data: namesOf(id, left) };
}

/** From now on no spans of a team's calls go anywhere. */
export async function disableLogging(managed: Managed): Promise<JsonObject> {
  const { team_id: id = "" } = managed.exchange.params;
  await changeCallbacks(managed, () => []);
  return { status: "success", message: `Logging disabled for team ${id}`, data: namesOf(id, []) };
}

/**
 * The settings that a team is given, with `metadata.logging` (LiteLLM's other way to give destinations) in the place where
 * the team's destinations stand; metadata without it leaves them as they are.
 * @throws GatewayError 400 as for a destination of its own, and for other metadata that is read and would have no effect
 */
export function withLogging({ parts }: Managed, given: JsonObject, stored: JsonObject = {}): JsonObject {
  const { metadata } = given as { metadata?: JsonObject | null };
  requireKnownMetadata(metadata, stored.metadata, parts.priorityShares());
  if (metadata?.logging === undefined) return given;
  const { logging, ...other } = metadata;
  const sealed = logging === null ? null : sealedCallbacks(logging, callbacksIn(stored.logging), parts);
  return { ...given, metadata: other, logging: sealed };
}

async function changeCallbacks(
  managed: Managed,
  changed: (before: readonly OwnCallback[]) => readonly OwnCallback[] | undefined,
): Promise<JsonObject> {
  const { team_id: id = "" } = managed.exchange.params;
  return changingTeam(managed, async (under) => {
    await requireTeam(managed, under, id);
    return updateEntity(under, TEAM, id, (_, { logging: before, ...stored }) => {
      const logging = changed(callbacksIn(before));
      return { settings: logging === undefined ? stored : { ...stored, logging } };
    });
  });
}

function namesOf(id: string, callbacks: readonly OwnCallback[]): JsonObject {
  const of = (unwanted: string): string[] => [
    ...new Set(callbacks.filter((each) => each.callback_type !== unwanted).map((each) => each.callback_name)),
  ];
  return { team_id: id, success_callbacks: of("failure"), failure_callbacks: of("success") };
}

function varsOf(callbacks: readonly OwnCallback[]): JsonObject {
  return Object.assign({}, ...maskedCallbacks(callbacks).map((each) => each.callback_vars)) as JsonObject;
}
