import { describe } from "vitest";
import { testResponseCache } from "./support/response-cache.ts";
import { hasRedis } from "./support/services.ts";

describe.skipIf(!hasRedis)("A response cache in Redis", () => testResponseCache("redis"));
