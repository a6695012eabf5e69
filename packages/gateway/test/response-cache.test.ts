import { describe } from "vitest";
import { testResponseCache } from "./support/response-cache.ts";

describe("A response cache in memory", () => testResponseCache("local"));
