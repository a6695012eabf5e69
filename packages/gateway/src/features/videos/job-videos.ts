import { GatewayError, invalidRequest, missingField, notFound } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readPage } from "../../contract/paging.ts";
import type { VideoJobs, VideoProgress, VideoStart } from "../../contract/video-jobs.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceClient, ResourceContext } from "../../core/objects/resource-client.ts";
import { seesEveryTenant } from "../../core/objects/tenant.ts";
import { contentAtAddress, generatedFile } from "./fetched-video.ts";
import { type JobRecord, jobRecord, videoOfJob } from "./job-record.ts";
import { videoPage } from "./schema.ts";
import { spooledVideo } from "./spooled-video.ts";
import { startImage } from "./start-image.ts";
import { readVideoAnswer, type VideoSink } from "./video-in-answer.ts";
import type {
  BegunVideo,
  ContentRequest,
  NewVideo,
  VideoBytes,
  VideoSource,
  VideoSourceDeps,
} from "./video-source.ts";

/** A look at a job. */
interface Seen {
  readonly progress: VideoProgress;
  /** Milliseconds since the epoch; absent while it runs. */
  readonly endedAt: number | undefined;
}

/** Providers whose videos are long-running operations. What they do not repeat, the gateway remembers. */
export class JobVideos implements VideoSource {
  readonly #deps: VideoSourceDeps;
  readonly #client: ResourceClient;
  readonly #origin: Origin;
  readonly #jobs: VideoJobs;

  constructor(deps: VideoSourceDeps, client: ResourceClient, origin: Origin, jobs: VideoJobs) {
    this.#deps = deps;
    this.#client = client;
    this.#origin = origin;
    this.#jobs = jobs;
  }

  async create(wanted: NewVideo): Promise<BegunVideo> {
    const { model, prompt, input_reference, ...fields } = wanted.fields;
    if (typeof model !== "string" || model === "") throw missingField("model");
    const image = await startImage(this.#deps, wanted);
    const start = this.#jobs.start({ model, prompt: String(prompt), fields, image });
    return this.#begin(start, { model, prompt: String(prompt) }, wanted.exchange);
  }

  async retrieve(video: AddressedObject, context: ResourceContext): Promise<JsonObject> {
    const { progress, endedAt } = await this.#look(video, context);
    return this.#videoOf(jobRecord(video.row), progress, createdAt(video.row), endedAt);
  }

  /** The gateway's own record of what was made through it: providers with jobs have no list of a caller's videos. */
  async list(exchange: Exchange): Promise<JsonObject> {
    const { ownership, objects } = this.#deps;
    const { principal, query } = exchange;
    const { limit, after, order } = readPage(videoPage, query);
    const cursor =
      after === undefined ? undefined : await ownership.locate("video", after, principal, exchange.call);
    const tenant = seesEveryTenant(principal) ? undefined : ownership.tenantOf(principal);
    const { provider } = this.#origin;
    const page = { kind: "video", tenant, provider, limit: limit + 1, order, after: cursor?.row };
    const rows = (await objects?.list(page)) ?? [];
    const data = await Promise.all(rows.slice(0, limit).map((row) => this.#listed(row, exchange)));
    return {
      object: "list",
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: rows.length > limit,
    };
  }

  async content(
    video: AddressedObject,
    { query, headers }: ContentRequest,
    context: ResourceContext,
  ): Promise<VideoBytes> {
    const variant = query.get("variant") ?? "video";
    if (variant !== "video")
      throw invalidRequest(
        `The provider '${this.#origin.provider}' has no '${variant}' of a video`,
        "variant",
      );
    const { progress } = await this.#look(video, context);
    if (progress.status === "failed") throw invalidRequest(progress.error.message, "video_id");
    if (progress.status !== "completed")
      throw invalidRequest(
        "Video is not ready yet, use GET /v1/videos/{video_id} to check status.",
        "video_id",
      );
    const { content } = progress;
    if ("file" in content) return generatedFile(this.#client, this.#origin, content.file, headers, context);
    if ("address" in content)
      return contentAtAddress(this.#deps.upstream, content.address, headers, context.signal);
    return spooledVideo((sink) => this.#ask(video, context, sink), headers);
  }

  async remix(video: AddressedObject, fields: JsonObject, context: ResourceContext): Promise<BegunVideo> {
    const { provider } = this.#origin;
    const remix = this.#jobs.remix;
    if (remix === undefined) {
      const text = `The provider '${provider}' cannot remix videos; create one with another prompt`;
      throw invalidRequest(text, "video_id");
    }
    const { prompt, ...rest } = fields;
    const [other] = Object.keys(rest);
    if (other !== undefined) throw invalidRequest(`A remix has no '${other}'`, other);
    const { progress } = await this.#look(video, context);
    if (progress.status !== "completed")
      throw invalidRequest("Only a finished video can be remixed", "video_id");
    const record = jobRecord(video.row);
    const model = record?.model ?? this.#origin.deployment?.model;
    if (model === undefined) throw invalidRequest("It is not known which model made this video", "video_id");
    const { seconds = "", size = "" } = record ?? {};
    const start = remix({ model, content: progress.content, seconds, size }, String(prompt));
    return this.#begin(start, { model, prompt: String(prompt), remixedFrom: video.id }, context);
  }

  /** Deletes the file; an operation cannot be deleted or stopped, so a video that is still made is only forgotten. */
  async delete(video: AddressedObject, context: ResourceContext): Promise<JsonObject> {
    const { progress } = await this.#look(video, context);
    if (progress.status === "completed" && "file" in progress.content)
      await this.#client
        .json(this.#origin, { method: "DELETE", path: progress.content.file }, context)
        .catch((error: unknown) => {
          // Google hides whether a file exists behind a missing permission.
          if (!(error instanceof GatewayError) || ![403, 404].includes(error.status)) throw error;
        });
    return { id: video.id, object: "video.deleted", deleted: true };
  }

  /** Starts a job; what its provider will not say again goes into the record. */
  async #begin(
    { path, body, seconds, size }: VideoStart,
    about: Pick<JobRecord, "model" | "prompt" | "remixedFrom">,
    context: ResourceContext,
  ): Promise<BegunVideo> {
    const answer = await this.#client.json(this.#origin, { method: "POST", path, body }, context);
    const providerId = this.#jobs.idOf(answer);
    if (providerId === undefined)
      throw new GatewayError(502, "api_error", "The provider's answer does not name a job");
    const job: JobRecord = { ...about, seconds, size };
    const now = Date.now();
    return {
      providerId,
      video: this.#videoOf(job, { status: "queued" }, now, undefined),
      data: { job },
      createdAt: now,
    };
  }

  /** How a video is: as it ended, where the gateway saw that already, else as its provider says. */
  async #look(video: AddressedObject, context: ResourceContext): Promise<Seen> {
    const record = jobRecord(video.row);
    if (record?.end !== undefined) return { progress: record.end, endedAt: record.endedAt };
    const progress = this.#jobs.read(await this.#ask(video, context));
    if (progress.status === "in_progress") return { progress, endedAt: undefined };
    const endedAt = Date.now();
    if (record !== undefined)
      await this.#deps.objects?.addData(video.id, { job: { ...record, end: progress, endedAt } });
    return { progress, endedAt };
  }

  /** The job as its provider has it. @throws GatewayError 404 for what cannot be a job of this provider */
  async #ask(
    { id, providerId }: AddressedObject,
    context: ResourceContext,
    sink?: VideoSink,
  ): Promise<JsonObject> {
    const look = this.#jobs.look(providerId);
    if (look === undefined) throw notFound(`No video found with id '${id}'`);
    const { videoMember, ...request } = look;
    if (videoMember === undefined) return this.#client.json(this.#origin, request, context);
    const { body } = await this.#client.request(this.#origin, request, context);
    try {
      return await readVideoAnswer(body, videoMember, sink);
    } catch (error) {
      body.cancel();
      throw error;
    }
  }

  /** Each video is looked at with the credentials that made it, which other deployments of the provider lack. */
  async #listed(row: ObjectRow, exchange: Exchange): Promise<JsonObject> {
    const { ownership } = this.#deps;
    try {
      const located = await ownership.locate("video", row.id, exchange.principal);
      const origin = located.origin ?? this.#origin;
      const own = new JobVideos(this.#deps, this.#client, origin, this.#jobs);
      const video = { ...located, row, origin, providerId: row.provider_id ?? "" };
      return { id: row.id, ...(await own.retrieve(video, exchange)) };
    } catch (error) {
      if (!(error instanceof GatewayError) || exchange.signal.aborted) throw error;
      // One video that cannot be looked at must not hide the others.
      const progress = { status: "in_progress" } as const;
      return { id: row.id, ...this.#videoOf(jobRecord(row), progress, row.created_at, undefined) };
    }
  }

  #videoOf(
    record: JobRecord | undefined,
    progress: VideoProgress | { readonly status: "queued" },
    created: number,
    endedAt: number | undefined,
  ): JsonObject {
    const { keptSeconds } = this.#jobs;
    return videoOfJob(record, progress, { createdAt: created, endedAt, keptSeconds });
  }
}

function createdAt(row: ObjectRow | undefined): number {
  return row?.created_at ?? Date.now();
}
