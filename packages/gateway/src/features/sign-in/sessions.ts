import { randomBytes } from "node:crypto";
import { forbidden, GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Role } from "../../contract/principal.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { endSessions } from "../../core/auth/management/sessions-of-user.ts";
import type { Changer } from "../../core/auth/records/change.ts";
import { findEntity, settingsObject } from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import { isSession, SESSION } from "../../core/auth/records/key-fields.ts";
import type { KeyRow } from "../../core/auth/records/keys-table.ts";
import { SESSION_PREFIX } from "../../core/auth/session-cookie.ts";
import { identityOf } from "../../core/auth/tokens/claims.ts";
import { Provisioning } from "../../core/auth/tokens/provisioning.ts";
import { TokenProblem } from "../../core/auth/tokens/verify-token.ts";
import type { SsoSettings } from "../../platform/config/read/read-sso.ts";
import { jsonMemberIs } from "../../platform/store/json-member.ts";
import { happensOnce } from "../../platform/store/once.ts";

/** Sessions that are removed at once. */
const SWEPT = 500;

/** Somebody who signed in. */
export interface SignedIn {
  readonly userId: string;
  readonly role: Role;
  /** The user's own, whatever the identity provider says. */
  readonly userRole: Role;
  /** The rules of signing in by which this was so. */
  readonly rules: string;
  /** Since when the gateway knows the user, in milliseconds; absent for administrators whom it does not know. */
  readonly since?: number | undefined;
}

/** Sessions are keys of a type of their own: with an end, listed, revoked and audited like all others. */
export class Sessions {
  readonly #parts: KeyManagement;

  constructor(parts: KeyManagement) {
    this.#parts = parts;
  }

  /**
   * The user whom the claims name, made where it may be.
   * @throws GatewayError 403 for whoever may not enter
   */
  async admit(claims: JsonObject, { claims: settings, rules }: SsoSettings): Promise<SignedIn> {
    const identity = identify(claims, settings);
    const { userId, role } = identity;
    if (userId === undefined) throw forbidden("The identity provider names no user");
    const { refusedBy } = await new Provisioning(this.#parts, settings, false).find(identity);
    if (refusedBy !== undefined) throw forbidden(refusedBy.replace("of this token", "who signed in"));
    const user = await this.#parts.entities.find("user", userId);
    if (user !== undefined && settingsObject(user).blocked === true) throw forbidden("This user is blocked");
    return { userId, role, rules, userRole: ownRole(user), since: user && Number(user.created_at) };
  }

  /**
   * Begins a session, with a key that nobody has had before.
   * @param code what may begin one session, also when that has ended
   * @throws GatewayError 403 for a user who was blocked, removed or given another role since signing in, 401 for a code that was used
   */
  async begin(
    { userId, role, rules, userRole, since }: SignedIn,
    hours: number,
    address: string | undefined,
    code?: { readonly id: string; readonly until: number },
  ): Promise<{ key: string; row: KeyRow }> {
    const changer: Changer = { by: userId, keyHash: "", address };
    const issued = await this.#parts.issuer.issue(
      {
        user_id: userId,
        user_role: role,
        key_alias: code === undefined ? null : `command line ${code.id}`,
        expires_at: Date.now() + Math.round(hours * 3_600_000),
        settings: JSON.stringify({ key_type: SESSION, user_role_then: userRole, sign_in_rules: rules }),
      },
      changer,
      `${SESSION_PREFIX}${randomBytes(32).toString("base64url")}`,
      async (under) => {
        const user = await findEntity(under, "user", userId);
        if (since !== (user && Number(user.created_at))) throw forbidden("This user is gone; sign in again");
        if (user !== undefined && settingsObject(user).blocked === true)
          throw forbidden("This user is blocked");
        if (ownRole(user) !== userRole) throw forbidden("This user's role has changed; sign in again");
        // What another role was given to earlier is no more.
        await endSessions(this.#parts, under, userId, role);
        if (code !== undefined && !(await happensOnce(under.db, `command line ${code.id}`, code.until)))
          throw new GatewayError(401, "authentication_error", "The code was used already");
      },
    );
    this.#parts.remembered.forget();
    return issued;
  }

  /** The session that a key is; `undefined` for any other key. */
  async find(keyHash: string): Promise<KeyRow | undefined> {
    const row = await this.#parts.keys.find(keyHash);
    return row !== undefined && isSession(row) ? row : undefined;
  }

  async end(keyHash: string, changer: Changer): Promise<void> {
    await this.#parts.issuer.delete([keyHash], changer);
    this.#parts.remembered.forget();
  }

  /** Removes sessions that have ended. @returns whether there may be more */
  async sweep(): Promise<boolean> {
    const { store } = this.#parts.entities;
    const ended = await store.db
      .selectFrom("gateway_keys")
      .select("key_hash")
      .where("expires_at", "<", Date.now())
      .where(jsonMemberIs(store, "settings", ["key_type"], SESSION))
      .limit(SWEPT)
      .execute();
    if (ended.length === 0) return false;
    const hashes = ended.map(({ key_hash }) => key_hash);
    await this.#parts.issuer.delete(hashes, { by: "portico", keyHash: "" });
    return ended.length === SWEPT;
  }
}

function identify(claims: JsonObject, settings: SsoSettings["claims"]) {
  try {
    return identityOf({ claims, issuer: settings.issuers[0]! }, settings);
  } catch (error) {
    if (error instanceof TokenProblem) throw forbidden(error.message.replace(/token('s)?/, "sign-in$1"));
    throw error;
  }
}

function ownRole(user: EntityRow | undefined): Role {
  return ((user && settingsObject(user).user_role) ?? "internal_user") as Role;
}
