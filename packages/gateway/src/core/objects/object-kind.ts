/** Kinds of object whose ids the gateway hands out, with the prefix that clients of the wire format expect. */
export const objectKinds = {
  file: { prefix: "file-" },
  batch: { prefix: "batch_" },
  response: { prefix: "resp_" },
  container: { prefix: "cntr_" },
  containerFile: { prefix: "cfile_" },
  video: { prefix: "video_" },
  conversation: { prefix: "conv_" },
  task: { prefix: "task_" },
  cursor: { prefix: "cur_" },
  /** What a provider's account keeps and the gateway only passes on: stores, caches, skills. */
  kept: { prefix: "kept_" },
} as const;

export type ObjectKind = keyof typeof objectKinds;
