import { a2aDescription } from "../agents/a2a/description.ts";
import { agentDescription } from "../agents/description.ts";
import { batchDescription } from "../batches/description.ts";
import { chatDescription } from "../chat/description.ts";
import { containerDescription } from "../containers/description.ts";
import { conversationDescription } from "../conversations/description.ts";
import { embeddingDescription } from "../embeddings/description.ts";
import { fileDescription } from "../files/description.ts";
import { healthDescription } from "../health/description.ts";
import { keyDescription } from "../keys/description.ts";
import { messageDescription } from "../messages/description.ts";
import { modelDescription } from "../models/description.ts";
import { responseDescription } from "../responses/description.ts";
import { spendDescription } from "../spend/description.ts";
import { videoDescription } from "../videos/description.ts";
import { openapiDescription } from "./description.ts";
import type { GroupDescription } from "./operation.ts";

/** The groups in the order in which they are shown. */
export const groups: readonly GroupDescription[] = [
  chatDescription,
  messageDescription,
  responseDescription,
  conversationDescription,
  embeddingDescription,
  batchDescription,
  fileDescription,
  agentDescription,
  a2aDescription,
  containerDescription,
  videoDescription,
  modelDescription,
  keyDescription,
  spendDescription,
  healthDescription,
  openapiDescription,
];
