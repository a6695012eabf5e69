import type { Bucket } from "../../platform/config/object-storage.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { S3Storage } from "./s3-storage.ts";

/**
 * Object storage that is written to later. A service that refuses its bucket or credentials, or that is not there, is
 * logged soon; the gateway starts all the same, since the service may come back before anything is written.
 * @param setting whoever names the bucket, for the log
 */
export function openBucket(bucket: Bucket, setting: string, logger: Logger): S3Storage {
  const storage = new S3Storage(bucket);
  void storage.fault().then((reason) => {
    if (reason === undefined) return;
    const { bucket: name, endpoint } = bucket;
    logger.error({ setting, bucket: name, endpoint, reason }, `${setting}: ${STEPS}`);
  });
  return storage;
}

const STEPS =
  "the object storage cannot be used; check its address, the bucket's name and region, and AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY";
