import { either, list, orNull, text, whole, word } from "../../contract/schema.ts";

/** The fields of an embeddings request (OpenAI API reference, "Create embeddings"), as in the other formats. */
export const embeddingFields = {
  "model!": text("A name of the model list, an alias, or a deployment's id."),
  "input!": either(text(), list(either(text(), whole(), list(whole())))),
  dimensions: orNull(whole()),
  encoding_format: orNull(word(["float", "base64"])),
  user: orNull(text()),
};
