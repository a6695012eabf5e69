/** A profile as V8 writes it (Chrome DevTools Protocol, `Profiler.Profile`). */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Ids of nodes. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** A step's part of the time in which the thread was not idle. */
export interface Share {
  readonly name: string;
  readonly whose: "ours" | "node";
  readonly part: number;
}

/** Where the sources of the gateway are in its package. */
export const SOURCES = "src/";

/** The gateway's steps by the beginnings of their modules' paths; the longest that fits counts. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  "Key: hash, look-up, permissions": ["core/auth/"],
  Limits: ["core/limits/"],
  "Routing, deployments' health": ["core/routing/"],
  "Request's body: reading, parsing, checking": [
    "core/http/read-body.ts",
    "contract/",
    "util/repeated-members.ts",
  ],
  "Request for the provider": [
    "core/call/native-attempt.ts",
    "core/call/request-",
    "util/json-span.ts",
    "providers/",
  ],
  "Connection to the provider": ["platform/transport/"],
  "Answer: parsing, usage": ["formats/", "contract/json.ts"],
  Price: [
    "core/ledger/price.ts",
    "core/ledger/rates.ts",
    "core/ledger/service-tiers.ts",
    "core/ledger/model-facts.ts",
  ],
  "Spend row: encoding and writing the journal": ["core/ledger/"],
  "Answer's headers": ["core/http/call-headers.ts"],
  Ids: ["util/ordered-uuid.ts"],
  "Log line": ["core/http/log-request.ts", "platform/log/"],
  Metrics: ["platform/metrics/"],
  "HTTP: routes, dispatching, writing the answer": ["core/http/", "features/"],
  "The call's way: preparing, attempts, settlement, hooks": [
    "core/call/",
    "core/hooks/",
    "core/idempotency/",
    "core/objects/",
    "util/",
  ],
  "Housekeeping, queue, store": ["platform/", "core/", ""],
};
const steps = Object.entries(STEPS)
  .flatMap(([name, paths]) => paths.map((path) => ({ name, path })))
  .sort((one, other) => other.path.length - one.path.length);

/** Paths that are to exist; the others are beginnings of names. */
export const stepPaths = steps.map(({ path }) => path).filter((path) => /(\.ts|\/)$/.test(path));

const SENDS = "Kernel: sending to callers and providers";
const GARBAGE = "Collecting garbage";
const HTTP = "Node's HTTP server, sockets, streams, promises, timers";
const NATIVE = "Native code under no JavaScript: event loop, reading from sockets, microtasks";

/** Functions that write to a socket at once. */
const SEND = /^(?:write(?:Latin1|Utf8|Ascii)String|writeBuffer|writev)$/;
/** Modules of Node that work for whoever calls them. */
const HELPERS = /^node:(?:fs|crypto|zlib|buffer|url|internal\/(?:crypto|fs|url|buffer|util))/;

/**
 * Tells the steps apart by which the thread spent its time.
 * @param seconds at the profile's end that count
 */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): Share[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stepOf = new Map<number, string>();
  const spent = new Map<string, number>();
  const from = timeDeltas.reduce((sum, delta) => sum + delta, 0) - seconds * 1e6;
  let at = 0;
  let busy = 0;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index]!;
    at += delta;
    const { functionName } = byId.get(id)!.callFrame;
    if (at < from || functionName === "(idle)") return;
    const step = stepOf.get(id) ?? stepAt(id, byId, parents);
    stepOf.set(id, step);
    busy += delta;
    spent.set(step, (spent.get(step) ?? 0) + delta);
  });
  const whose = (name: string): Share["whose"] => (Object.hasOwn(STEPS, name) ? "ours" : "node");
  return [...spent]
    .map(([name, own]) => ({ name, whose: whose(name), part: own / busy }))
    .sort((one, other) => other.part - one.part);
}

function stepAt(
  id: number,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string {
  const { functionName: leaf } = byId.get(id)!.callFrame;
  if (leaf === "(garbage collector)") return GARBAGE;
  for (let node: number | undefined = id; node !== undefined; node = parents.get(node)) {
    const { url } = byId.get(node)!.callFrame;
    if (url === "" || HELPERS.test(url)) continue;
    if (url.startsWith("node:")) return SEND.test(leaf) ? SENDS : HTTP;
    const path = url.split(`/packages/gateway/${SOURCES}`)[1];
    return steps.find((step) => path?.startsWith(step.path))?.name ?? HTTP;
  }
  return NATIVE;
}
