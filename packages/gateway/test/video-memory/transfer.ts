import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startSimulator } from "portico-simulator";
import { type ChildGateway, spawnTestGateway } from "../support/gateway.ts";

const mebibyte = 1024 * 1024;

/** What a gateway in a process of its own needed at most, in MiB. */
export interface TransferFigures {
  /** Resident memory before the first transfer. */
  readonly atRest: number;
  /** The largest resident memory of all. */
  readonly peak: number;
  /** Bytes that the provider got, the form around the file included. */
  readonly uploaded: number;
  readonly downloaded: number;
}

/**
 * Sends a reference file of `size` MiB through a gateway to the simulator and fetches a video as large.
 * @param program arguments of node that run the gateway, its sources otherwise
 */
export async function transferVideo(size: number, program?: readonly string[]): Promise<TransferFigures> {
  const bytes = size * mebibyte;
  const simulator = await startSimulator();
  const settings = { videoQueuedMs: 0, videoRunningMs: 0, videoBytes: bytes };
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
  const gateway = await spawnTestGateway({
    ...(program === undefined ? {} : { program }),
    config: `
model_list:
  - {model_name: movies, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1"}}
`,
  });
  try {
    const atRest = memoryOf(gateway, "VmRSS");
    const id = await upload(gateway, bytes);
    const sent = simulator
      .received()
      .find(({ path, method }) => method === "POST" && path.endsWith("/videos"));
    const downloaded = await download(gateway, id);
    const uploaded = Number(sent?.headers["content-length"]);
    return { atRest, peak: memoryOf(gateway, "VmHWM"), uploaded, downloaded };
  } finally {
    await gateway.close();
    await simulator.close();
  }
}

/** A multipart form made while it is sent. */
async function upload(gateway: ChildGateway, bytes: number): Promise<string> {
  const boundary = randomUUID();
  const part = (head: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const chunk = Buffer.alloc(mebibyte, 7);
  function* form(): Generator<Buffer> {
    yield Buffer.from(`${part('name="model"')}movies\r\n${part('name="prompt"')}a cat\r\n`);
    yield Buffer.from(part('name="input_reference"; filename="reference.mp4"\r\nContent-Type: video/mp4'));
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const headers = {
    authorization: `Bearer ${gateway.masterKey}`,
    "content-type": `multipart/form-data; boundary=${boundary}`,
  };
  const call = request(`${gateway.url}/v1/videos`, { method: "POST", headers });
  const answered = new Promise<string>((resolve, reject) => {
    call.once("error", reject);
    call.once("response", async (response) => {
      const chunks = await response.toArray();
      resolve(Buffer.concat(chunks as Buffer[]).toString("utf8"));
    });
  });
  await pipeline(Readable.from(form()), call);
  return (JSON.parse(await answered) as { id: string }).id;
}

async function download(gateway: ChildGateway, id: string): Promise<number> {
  const answer = await gateway.call(`/v1/videos/${id}/content`);
  let received = 0;
  for await (const chunk of answer.body!) received += chunk.byteLength;
  return received;
}

/** Resident memory in MiB, as Linux counts it for the process. */
export function memoryOf({ process: { pid } }: ChildGateway, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
