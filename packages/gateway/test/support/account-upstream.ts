import { type RecordingUpstream, type SeenRequest, startRecordingUpstream } from "./recording-upstream.ts";

/** A provider's account with all objects of OpenAI's groups in it, that shows them to whoever has its key. */
export interface AccountUpstream extends RecordingUpstream {
  /** Ids of what was made since the start, by group, the newest last. */
  idsOf(group: string): readonly string[];
}

const prefixes: Readonly<Record<string, string>> = {
  files: "file-up",
  containers: "cntr_up",
  videos: "video_up",
  batches: "batch_up",
  responses: "resp_up",
};

let made = 0;

export async function startAccountUpstream(): Promise<AccountUpstream> {
  const groups = new Map<string, Map<string, Record<string, unknown>>>();
  const upstream = await startRecordingUpstream((request) => answer(groups, request));
  return Object.assign(upstream, {
    idsOf: (group: string) => [...(groups.get(group)?.keys() ?? [])],
  });
}

function answer(groups: Map<string, Map<string, Record<string, unknown>>>, request: SeenRequest) {
  const [path = ""] = request.path.split("?");
  const [, group, id, ...rest] = path.split("/").slice(1);
  if (group === undefined || prefixes[group] === undefined) return undefined;
  let objects = groups.get(group);
  if (objects === undefined) {
    objects = new Map();
    groups.set(group, objects);
  }
  if (id === undefined && request.method === "GET")
    return { body: { object: "list", data: [...objects.values()].toReversed(), has_more: false } };
  if (id === undefined || (rest[0] === "remix" && objects.has(id))) {
    made += 1;
    const sent = request.body.startsWith("{") ? (JSON.parse(request.body) as Record<string, unknown>) : {};
    const object = {
      object: group === "responses" ? "response" : group.slice(0, -1),
      status: "completed",
      created_at: 1_700_000_000 + made,
      ...sent,
      ...(group === "responses" ? { output: [], usage: { input_tokens: 1, output_tokens: 1 } } : {}),
      id: `${prefixes[group]}${made}`,
    };
    objects.set(object.id, object);
    return { body: object };
  }
  const object = objects.get(decodeURIComponent(id));
  if (object === undefined)
    return {
      status: 404,
      body: { error: { message: `No object with id '${decodeURIComponent(id)}' found.` } },
    };
  if (request.method === "DELETE" && rest.length === 0) {
    objects.delete(decodeURIComponent(id));
    return { body: { id, deleted: true } };
  }
  return { body: rest[0] === "files" ? { object: "list", data: [] } : object };
}
