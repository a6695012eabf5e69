import { SetupError } from "../../contract/setup-error.ts";
import type { GatewayConfig } from "./gateway-config.ts";

/** A place at an S3-compatible service, with what opens it. */
export interface Bucket {
  /** Address of the service, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What every name there begins with. */
  readonly prefix: string;
}

type Configured = Pick<GatewayConfig, "generalSettings" | "environment">;

/** The bucket that files are kept in; `undefined` where they are kept elsewhere. @throws SetupError naming what is missing */
export function bucketOfFiles(config: Configured): Bucket | undefined {
  const { generalSettings, environment } = config;
  const bucket = generalSettings.fileBucket ?? environment.PORTICO_FILE_BUCKET;
  const wanted = generalSettings.fileStorage ?? (bucket === undefined ? undefined : "s3");
  if (wanted !== "s3") return undefined;
  if (bucket === undefined) throw new SetupError("file_storage: s3 needs general_settings.file_bucket");
  return bucketAt(config, { bucket, prefix: "portico/", setting: "file_storage: s3" });
}

/** The setting that names where spend rows are exported. */
export const EXPORT_SETTING = "general_settings.spend_export";

/** The bucket that `spend_export` names; `undefined` for a folder. @throws SetupError naming what is missing */
export function bucketOfExport(place: string, config: Configured): Bucket | undefined {
  if (!/^[a-z0-9]+:\/\//i.test(place)) return undefined;
  const [, bucket, folder] = /^s3:\/\/([^/]+)(?:\/(.*?)\/*)?$/.exec(place) ?? [];
  if (bucket === undefined)
    throw new SetupError(`${EXPORT_SETTING}: expected a folder or s3://BUCKET/PREFIX, not ${place}`);
  const prefix = folder === undefined || folder === "" ? "" : `${folder}/`;
  return bucketAt(config, { bucket, prefix, setting: EXPORT_SETTING });
}

/** @param setting whoever wants it, for the error */
function bucketAt(
  { generalSettings, environment }: Configured,
  { bucket, prefix, setting }: { bucket: string; prefix: string; setting: string },
): Bucket {
  const accessKeyId = environment.AWS_ACCESS_KEY_ID;
  const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new SetupError(`${setting} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`);
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1";
  const usual = `https://s3.${region}.amazonaws.com`;
  const endpoint = generalSettings.fileEndpoint ?? environment.AWS_ENDPOINT_URL_S3 ?? usual;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix };
}
