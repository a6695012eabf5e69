import type { CallRecord, FailedAttempt } from "../../contract/call-record.ts";
import type { LimitScope } from "../../contract/principal.ts";
import { noUsage } from "../../contract/usage.ts";
import type { GatewaySettings } from "../../platform/config/gateway-config.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { Recurring } from "../../platform/log/recurring.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { budgetWindow, type ScopeWindow, scopeWindows } from "./budget-window.ts";
import { type JournaledRow, textOfRow } from "./journal/journaled-row.ts";
import type { SegmentWriter } from "./journal/segment-writer.ts";
import type { WriterClient } from "./journal/writer-client.ts";
import type { FinishedCall, Hold, Ledger, LedgerState } from "./ledger.ts";
import type { CallDetails, FailedTry, SpendRow } from "./spend-tables.ts";

/** Milliseconds that a row may wait for others to be written to the database with. */
const WRITE_EVERY = 500;

/** Milliseconds before another try when the database did not take the rows. */
const RETRY_AFTER = 1000;

/** Milliseconds between two looks for what processes left that share the data directory. */
const LOOK_EVERY = 5000;

/** Rows kept in memory while neither journal nor database take any; past that the oldest are given up, loudly. */
const MAX_OUTSIDE = 200_000;
/** Tags of a row, and characters of one. */
const MAX_TAGS = 30;
const MAX_TAG = 100;

/** Rows given up together, and rows of memory that one request to the other thread copies. */
const GIVEN_UP = 20_000;
const COPIED = 10_000;

/** The settings that rows depend on, as they are at the moment. */
interface LedgerConfig {
  readonly current: {
    readonly gatewaySettings: Pick<GatewaySettings, "timezone" | "disableEndUserCostTracking">;
  };
}

/**
 * The ledger of a gateway with a store. A row is in the journal when `settle` returns, or with those of the other calls
 * that end in this turn of the event loop at the turn's end; another thread brings it into the database.
 */
export class JournaledLedger implements Ledger {
  readonly #journal: SegmentWriter;
  readonly #writer: WriterClient;
  readonly #logger: Logger;
  readonly #config: LedgerConfig;
  /** Rows of this turn that are not in the journal yet, and the turn's end. */
  #ofTurn: string[] = [];
  #turn: Promise<void> | undefined;
  /** Rows that the journal did not take. */
  #outside: string[] = [];
  /** Rows settled, those of them that are in the database, those given up, and those that the database refused. */
  #settled = 0;
  #written = 0;
  #givenUp = 0;
  #refused = 0;
  #failing: Recurring | undefined;
  /** The journals of processes that ended were looked through. */
  #lookedAt: number | undefined;
  /** How often they were to be looked through afresh, and how many of these looks are over. */
  #looksWanted = 0;
  #looksDone = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #looking: NodeJS.Timeout;
  #writing: Promise<boolean> | undefined;
  #closed = false;

  constructor(journal: SegmentWriter, writer: WriterClient, logger: Logger, config: LedgerConfig) {
    this.#config = config;
    this.#journal = journal;
    this.#writer = writer;
    this.#logger = logger;
    this.#looking = setInterval(() => this.#schedule(0), LOOK_EVERY).unref();
    // What an earlier process left.
    this.#schedule(WRITE_EVERY).unref();
  }

  settle(finished: FinishedCall): void {
    if (this.#take(finished)) this.#endTurn();
  }

  settleTogether(finished: FinishedCall): Promise<void> | undefined {
    if (!this.#take(finished)) return this.#turn;
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#endTurn();
        resolve();
      });
    });
    return this.#turn;
  }

  record(row: SpendRow, owner: BudgetOwner): void {
    this.#add(row, windowsOf(row, owner, this.#config.current.gatewaySettings.timezone));
    this.#endTurn();
  }

  /** @returns whether the call had no row yet; by record rather than call id, because callers may choose equal ids */
  #take(finished: FinishedCall): boolean {
    if (finished.call.recorded) return false;
    finished.call.recorded = true;
    const { hold, ofDeployment, principal, call, callId } = finished;
    call.trace?.callEnded({ callId, principal, record: call });
    const row = rowOf(finished, Date.now(), hold?.id);
    const owner = ownerOf(principal, call.deployment?.budgets);
    this.#add(row, windowsOf(row, owner, this.#config.current.gatewaySettings.timezone, hold, ofDeployment));
    return true;
  }

  #add(given: SpendRow, windows: Omit<JournaledRow, "row">): void {
    const { disableEndUserCostTracking: namesNobody } = this.#config.current.gatewaySettings;
    const row = given.end_user === null || !namesNobody ? given : { ...given, end_user: null };
    this.#ofTurn.push(textOfRow({ row, ...windows }));
    this.#settled += 1;
    if (this.#timer === undefined) this.#schedule(WRITE_EVERY);
  }

  /** What the journal does not take stays in memory. */
  #endTurn(): void {
    this.#turn = undefined;
    const texts = this.#ofTurn;
    this.#ofTurn = [];
    for (let at = this.#journal.append(texts); at < texts.length; at += 1) this.#keep(texts[at]!);
  }

  async flush(afresh = false): Promise<boolean> {
    const goal = this.#settled;
    if (afresh) this.#looksWanted += 1;
    const look = this.#looksWanted;
    while (
      this.#looksDone < look ||
      this.#written < goal ||
      this.#lookedAt === undefined ||
      Date.now() - this.#lookedAt > LOOK_EVERY
    ) {
      if (!(await this.#write())) return false;
    }
    return true;
  }

  async durable(): Promise<void> {
    this.#endTurn();
    if (this.#outside.length === 0) {
      try {
        return await this.#journal.sync();
      } catch (error) {
        this.#logger.error(
          { error: describeError(error) },
          "the spend journal could not be synced to the disk",
        );
      }
    }
    await this.flush();
  }

  get state(): LedgerState {
    return {
      journalBytes: this.#journal.bytes,
      rowsInMemory: this.#outside.length,
      rowsLost: this.#givenUp + this.#refused,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#looking);
    clearTimeout(this.#timer);
    await this.flush();
    await this.#writing;
    await this.#journal.close();
    const isDone = await this.#writeAll(true);
    await this.#writer.close();
    this.#journal.release();
    if (this.#outside.length > 0)
      this.#logger.error({ rows: this.#outside.length }, "spend rows could not be written and are lost");
    else if (!isDone)
      this.#logger.warn(
        { rows: this.#settled - this.#written },
        "spend rows wait in the journal; the next process in this data directory writes them",
      );
  }

  #schedule(delay: number): NodeJS.Timeout {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#closed) void this.#write();
    }, delay);
    return this.#timer;
  }

  /** Has the other thread write all that is there; one request at a time. @returns whether it worked */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeAll(false).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(isLast: boolean): Promise<boolean> {
    this.#endTurn();
    const settled = this.#settled;
    const { appended } = this.#journal;
    this.#putInside();
    const givenUp = this.#givenUp;
    const isAll = this.#outside.length <= COPIED;
    const texts = this.#outside.slice(0, COPIED);
    const look = this.#looksWanted;
    const looks = look > this.#looksDone;
    try {
      const { folder } = this.#journal;
      const result = await this.#writer.write({ folder, isLast, looks, texts });
      this.#journal.measured(result.bytes, appended);
      this.#refused += result.refused;
      if (result.failure !== undefined) throw new Error(result.failure);
    } catch (error) {
      this.#failed(error, settled);
      return false;
    }
    if (this.#failing?.ended() === true) this.#logger.warn("the database takes spend rows again");
    // The oldest may have been given up meanwhile.
    const sent = texts.length - (this.#givenUp - givenUp);
    if (sent > 0) this.#outside = this.#outside.slice(sent);
    if (isAll) this.#written = settled;
    else if (!this.#closed) this.#schedule(0);
    this.#looksDone = look;
    this.#lookedAt = Date.now();
    return true;
  }

  #failed(error: unknown, settled: number): void {
    const reason = describeError(error);
    this.#failing ??= new Recurring();
    if (this.#failing.failed(reason))
      this.#logger.error(
        { rows: settled - this.#written, error: reason },
        "spend rows are not in the database yet, trying again every second",
      );
    // While they wait they must survive a power cut too.
    this.#journal.sync().catch(() => undefined);
    if (!this.#closed) this.#schedule(RETRY_AFTER);
  }

  /** Once the journal takes rows again, those that it did not take are safer there. */
  #putInside(): void {
    const taken = this.#journal.append(this.#outside);
    if (taken > 0) this.#outside = this.#outside.slice(taken);
  }

  #keep(text: string): void {
    this.#outside.push(text);
    if (this.#outside.length <= MAX_OUTSIDE) return;
    this.#outside = this.#outside.slice(GIVEN_UP);
    this.#givenUp += GIVEN_UP;
    this.#logger.error(
      { rows: GIVEN_UP },
      "neither journal nor database take spend rows: the oldest are lost",
    );
  }
}

type BudgetOwner = Pick<FinishedCall["principal"], "limits" | "scopes">;

/** Whose budgets a call counts in: its caller's, and those of its deployment that are not among them. */
function ownerOf(principal: BudgetOwner, budgets: readonly LimitScope[] | undefined): BudgetOwner {
  if (budgets === undefined) return principal;
  const { limits, scopes = [] } = principal;
  const further = budgets.filter(({ owner }) => !scopes.some((scope) => scope.owner === owner));
  return { limits, scopes: [...scopes, ...further] };
}

/**
 * Where a row counts.
 * @param hold shares with the row's id
 * @param further shares with an id of their own
 */
function windowsOf(
  { spend, ended_at: at }: SpendRow,
  owner: BudgetOwner,
  timezone: string | undefined,
  hold?: Hold,
  further?: Hold,
): Omit<JournaledRow, "row"> {
  const { limits, scopes } = owner;
  if (scopes === undefined && hold !== undefined) return hold;
  if (spend === 0 || (limits.budgetDuration === undefined && scopes === undefined))
    return { windowStart: undefined, scopes: [] };
  return {
    windowStart: hold === undefined ? budgetWindow(limits, at, timezone)?.start : hold.windowStart,
    scopes: scopeWindows(
      owner,
      at,
      timezone,
      further === undefined ? hold?.scopes : [...named(further), ...(hold?.scopes ?? [])],
    ),
  };
}

function named({ id, scopes }: Hold): readonly ScopeWindow[] {
  return scopes.map((scope) => ({ ...scope, hold: id }));
}

/** A finished call as the spend log has it. */
export function rowOf(
  { callId, principal, call }: FinishedCall,
  endedAt: number,
  id = orderedUuid(),
): SpendRow {
  const usage = call.usage ?? noUsage;
  return {
    id,
    request_id: callId,
    key_hash: principal.keyHash,
    user_id: principal.userId ?? null,
    team_id: principal.teamId ?? null,
    model: call.model ?? null,
    model_id: call.deployment?.id ?? null,
    provider: call.provider ?? call.deployment?.provider ?? null,
    call_type: call.callType,
    status: call.status === "pending" ? "failure" : call.status,
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    spend: call.cost ?? 0,
    started_at: call.startedAt,
    ended_at: endedAt,
    organization_id: principal.organizationId ?? null,
    end_user: (call.named ?? principal.named)?.customer ?? null,
    tags: tagsOf((call.named ?? principal.named)?.tags ?? principal.metadata.tags),
    session_id: call.session ?? null,
    first_ms: call.contentAt === undefined ? null : Math.max(0, call.contentAt - call.startedAt),
    details: detailsText(call),
  };
}

/** What only some calls have to tell: one that was answered at the first try and names nothing tells nothing. */
function detailsText({ notes, failedAttempts, attemptedFallbacks, isCacheHit }: CallRecord): string | null {
  if (notes === undefined && failedAttempts === undefined && attemptedFallbacks === 0 && !isCacheHit)
    return null;
  const details: CallDetails = {
    ...notes,
    ...(failedAttempts && { tries: failedAttempts.slice(0, MAX_TRIES).map(failedTry) }),
    ...(attemptedFallbacks === 0 ? {} : { fallbacks: attemptedFallbacks }),
    ...(isCacheHit ? { cache_hit: true } : {}),
  };
  return JSON.stringify(details);
}

/** Failed tries that a row tells of. */
const MAX_TRIES = 10;

function failedTry({ deployment, took, status }: FailedAttempt): FailedTry {
  return { deployment: deployment.id, took: Math.round(took), status };
}

/** The key's tags where the request was not read; they may be anything. */
export function tagsOf(tags: unknown): string | null {
  if (!Array.isArray(tags) || tags.length === 0) return null;
  const named = tags.filter((tag): tag is string => typeof tag === "string" && tag !== "");
  const storable = named.slice(0, MAX_TAGS).map((tag) => tag.slice(0, MAX_TAG).toWellFormed());
  // A database that reads the list as JSON takes no NUL, and escapes would make it long.
  return storable.length === 0
    ? null
    : JSON.stringify(storable.map((tag) => tag.replaceAll(/\p{Cc}/gu, "\ufffd")));
}
