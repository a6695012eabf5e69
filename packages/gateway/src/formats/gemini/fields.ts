import { amount, flag, list, map, object, type Schema, text, whole, word } from "../../contract/schema.ts";

/** Google's `Schema` contains itself; here is its name among OpenAPI's components. */
export const GEMINI_SCHEMA = "#/components/schemas/GeminiSchema";

const schema: Schema = { $ref: GEMINI_SCHEMA };
/** The caller's own: arguments, answers of functions, JSON schemas. */
const free = object();
const anything: Schema = {};

/** A schema in Google's words (Gemini API reference, "Schema"): a subset of OpenAPI 3.0's with types in capitals. */
export const geminiSchema: Schema = object({
  type: text("`STRING`, `NUMBER`, `INTEGER`, `BOOLEAN`, `ARRAY`, `OBJECT` or `NULL`"),
  format: text(),
  title: text(),
  description: text(),
  nullable: flag(),
  enum: list(text()),
  items: schema,
  minItems: whole(),
  maxItems: whole(),
  properties: map(schema),
  required: list(text()),
  minProperties: whole(),
  maxProperties: whole(),
  minLength: whole(),
  maxLength: whole(),
  minimum: amount(),
  maximum: amount(),
  pattern: text(),
  anyOf: list(schema),
  propertyOrdering: list(text()),
  default: anything,
  example: anything,
});

const blob = object({ "mimeType!": text(), "data!": text("Base64."), displayName: text() });
const fileData = object({ mimeType: text(), "fileUri!": text(), displayName: text() });

const partMembers = object({
  text: text(),
  thought: flag(),
  thoughtSignature: text("Sent back as it came."),
  inlineData: blob,
  fileData,
  functionCall: object({ id: text(), name: text(), args: free }),
  functionResponse: object({
    id: text(),
    "name!": text(),
    response: free,
    parts: list(object({ inlineData: blob, fileData })),
    willContinue: flag(),
    scheduling: text(),
  }),
  executableCode: object({ id: text(), language: text(), code: text() }),
  codeExecutionResult: object({ id: text(), outcome: text(), output: text() }),
  videoMetadata: object({ startOffset: text(), endOffset: text(), fps: amount() }),
  mediaResolution: object(),
  partMetadata: free,
});

/** It has one of the members that carry data. */
const part: Schema = { ...partMembers, examples: [{ text: "Hello" }] };

/** A turn of the conversation (Gemini API reference, "Content"). */
const content: Schema = {
  ...object({ role: text("`user` or `model`"), parts: list(part) }),
  examples: [{ role: "user", parts: [{ text: "Hello" }] }],
};

const functionDeclaration = object({
  "name!": text(),
  description: text(),
  behavior: text(),
  parameters: schema,
  parametersJsonSchema: anything,
  response: schema,
  responseJsonSchema: anything,
});

const toolMembers = object({
  functionDeclarations: list(functionDeclaration),
  googleSearch: object({ excludeDomains: list(text()), timeRangeFilter: object() }),
  googleSearchRetrieval: object({ dynamicRetrievalConfig: object() }),
  enterpriseWebSearch: object(),
  codeExecution: object(),
  urlContext: object(),
  googleMaps: object(),
  fileSearch: object(),
  computerUse: object(),
  retrieval: object(),
  mcpServers: list(object()),
});

const tool: Schema = {
  ...toolMembers,
  examples: [{ functionDeclarations: [{ name: "weather", parameters: { type: "OBJECT", properties: {} } }] }],
};

const generationMembers = object({
  temperature: amount(),
  topP: amount(),
  topK: amount(),
  candidateCount: whole(),
  maxOutputTokens: whole(),
  stopSequences: list(text()),
  presencePenalty: amount(),
  frequencyPenalty: amount(),
  seed: whole(),
  responseMimeType: text("`text/plain`, `application/json` or `text/x.enum`"),
  responseSchema: schema,
  responseJsonSchema: anything,
  responseLogprobs: flag(),
  logprobs: whole(),
  responseModalities: list(text()),
  thinkingConfig: object({
    includeThoughts: flag(),
    thinkingBudget: whole(),
    thinkingLevel: text(),
  }),
  speechConfig: object(),
  imageConfig: object(),
  mediaResolution: text(),
  audioTimestamp: flag(),
  enableAffectiveDialog: flag(),
  enableEnhancedCivicAnswers: flag(),
  routingConfig: object(),
  modelSelectionConfig: object(),
});

const generationConfig: Schema = {
  ...generationMembers,
  examples: [{ temperature: 0.5, maxOutputTokens: 9 }],
};

/** What a request and a count of its tokens share. */
const promptFields = {
  "contents!": list(content),
  systemInstruction: content,
  tools: list(tool),
  generationConfig,
};

/**
 * The fields of `generateContent` (Gemini API reference, "Generating content"; Vertex AI's beside them), each of which
 * callers may also write in snake case: the one list from which come `/openapi.json`, what `drop_params` leaves in, and
 * the spelling that the gateway reads.
 */
export const geminiFields = {
  ...promptFields,
  toolConfig: object({
    functionCallingConfig: object({
      mode: text("`AUTO`, `ANY`, `NONE` or `VALIDATED`", { examples: ["AUTO"] }),
      allowedFunctionNames: list(text(), undefined, { examples: [[]] }),
      streamFunctionCallArguments: flag(),
    }),
    retrievalConfig: object({
      latLng: object({ latitude: amount(), longitude: amount() }),
      languageCode: text(),
    }),
    includeServerSideToolInvocations: flag(),
  }),
  safetySettings: list(object({ category: text(), threshold: text(), method: text() })),
  cachedContent: text("At Google's models only."),
  labels: map(text()),
  serviceTier: text(),
  store: flag(),
  modelArmorConfig: object(),
};

/**
 * What of a request decides how much it can cost, and is therefore checked where the request passes as it is, too: a
 * number that only Google can read would count as none.
 */
export const pricedFields = {
  tools: list(object()),
  generationConfig: object({
    candidateCount: whole(),
    maxOutputTokens: whole(),
    thinkingConfig: object({ thinkingBudget: whole() }),
  }),
  cachedContent: text(),
  serviceTier: text(),
};

/** The fields of `countTokens`: the contents, or a whole request. */
export const countTokensFields = {
  contents: list(content),
  systemInstruction: content,
  tools: list(tool),
  generationConfig,
  generateContentRequest: object({ model: text(), ...geminiFields }),
};

const embedding = {
  "content!": content,
  taskType: word([
    "TASK_TYPE_UNSPECIFIED",
    "RETRIEVAL_QUERY",
    "RETRIEVAL_DOCUMENT",
    "SEMANTIC_SIMILARITY",
    "CLASSIFICATION",
    "CLUSTERING",
    "QUESTION_ANSWERING",
    "FACT_VERIFICATION",
    "CODE_RETRIEVAL_QUERY",
  ]),
  title: text(),
  outputDimensionality: whole(),
  autoTruncate: flag(),
};

/** The fields of `embedContent`. */
export const embedContentFields = { model: text(), ...embedding };

/** The fields of `batchEmbedContents`. */
export const batchEmbedContentsFields = { "requests!": list(object({ model: text(), ...embedding })) };
