import { existsSync, readdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import S3rver from "s3rver";

const bucket = "portico";
const credentials = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

/** An S3-compatible service that keeps a bucket in a folder. */
export interface TestS3 {
  readonly endpoint: string;
  readonly bucket: string;
  /** Environment variables of whoever uses it. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Keys of the objects in the bucket. */
  objects(): string[];
  /** Names of the parts of all uploads that are not complete. */
  parts(): string[];
  close(): Promise<void>;
}

/** s3rver, with AbortMultipartUpload, which it lacks, in front of it. */
export async function startS3(directory: string): Promise<TestS3> {
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const uploads = join(directory, bucket, "._S3rver_uploads");
  const front = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    const upload = new URL(url, "http://s3").searchParams.get("uploadId");
    if (method === "DELETE" && upload !== null) {
      const folder = join(uploads, upload);
      response.statusCode = existsSync(folder) ? 204 : 404;
      rmSync(folder, { recursive: true, force: true });
      response.end();
      return;
    }
    const behind = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    behind.on("error", () => response.destroy());
    // Of a caller that was killed; s3rver would wait for the rest of its body for ever.
    response.on("close", () => behind.destroy());
    incoming.pipe(behind);
  });
  await new Promise<void>((ready) => front.listen(0, "127.0.0.1", ready));
  const filesIn = (folder: string): string[] =>
    existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  return {
    endpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    bucket,
    credentials,
    objects: () =>
      filesIn(join(directory, bucket))
        .filter((name) => name.endsWith("._S3rver_object"))
        .map((name) => name.replace("._S3rver_object", "")),
    parts: () => filesIn(uploads).filter((name) => /\/\d+$/.test(name)),
    close: async () => {
      front.closeAllConnections();
      await new Promise((closed) => front.close(closed));
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
    },
  };
}
