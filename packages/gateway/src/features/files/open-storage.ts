import { join } from "node:path";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Store } from "../../platform/store/store.ts";
import { DatabaseStorage } from "./database-storage.ts";
import type { FileStorage } from "./file-storage.ts";
import { LocalStorage } from "./local-storage.ts";
import { S3Storage } from "./s3-storage.ts";

/**
 * The storage that the configuration names: object storage where a bucket is given, else what every replica reaches:
 * a folder of the data directory beside SQLite, the database itself with PostgreSQL.
 * @throws Error naming what is missing
 */
export function openStorage(
  config: GatewayConfig,
  dataDirectory: string,
  store: Store | undefined,
): FileStorage {
  const { generalSettings, environment } = config;
  const bucket = generalSettings.fileBucket ?? environment.PORTICO_FILE_BUCKET;
  const wanted = generalSettings.fileStorage ?? (bucket === undefined ? undefined : "s3");
  if (wanted === "s3") {
    const accessKeyId = environment.AWS_ACCESS_KEY_ID;
    const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY;
    if (bucket === undefined) throw new Error("file_storage: s3 needs general_settings.file_bucket");
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new Error("file_storage: s3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1";
    const usual = `https://s3.${region}.amazonaws.com`;
    const endpoint = generalSettings.fileEndpoint ?? environment.AWS_ENDPOINT_URL_S3 ?? usual;
    return new S3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix: "portico/" });
  }
  if (store !== undefined && (wanted === "database" || (wanted === undefined && store?.kind === "postgres")))
    return new DatabaseStorage(store);
  return new LocalStorage(join(dataDirectory, "files"));
}
