import { standsForUser } from "../../../contract/principal.ts";
import type { Managed } from "./management.ts";

/** The users whom a list shows to the caller, by id: those that it administers, and its own. All where this is absent. */
export async function usersSeen({ actor, parts }: Managed): Promise<string[] | undefined> {
  if (actor.reachesAll) return undefined;
  const { userId } = actor.principal;
  const administered = await parts.entities.usersOf(actor.organizationIds);
  const isSeen = userId !== undefined && standsForUser(actor.principal);
  return [...new Set([...administered, ...(isSeen ? [userId] : [])])];
}
