declare module "s3rver" {
  import type { Server } from "node:http";

  /** The part of s3rver's interface that tests use. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly httpServer: Server;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
