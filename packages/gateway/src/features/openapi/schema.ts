import { answers, type GroupDescription } from "../../contract/operation.ts";
import { object, text } from "../../contract/schema.ts";

/** This description itself. */
export const openapiDescription: GroupDescription = {
  tag: "Description",
  about: "What the gateway answers, for people and for generators of clients.",
  operations: [
    {
      method: "GET",
      path: "/",
      id: "home",
      summary: "What this is and where to go",
      answer: answers("Name, version and addresses; a page for browsers.", object()),
    },
    {
      method: "GET",
      path: "/docs",
      id: "showDescription",
      summary: "This description as a page, on which each endpoint can be called",
      answer: { about: "A page for browsers.", content: { "text/html": text() } },
    },
    {
      method: "GET",
      path: "/docs/{file}",
      id: "loadDescriptionPart",
      summary: "What that page loads",
      answer: {
        about: "A script or a style sheet.",
        content: { "text/javascript": text(), "text/css": text() },
      },
      errors: { 404: { when: "The page loads no such file." } },
    },
    {
      method: "GET",
      path: "/openapi.json",
      id: "describe",
      summary: "This description",
      answer: answers("An OpenAPI 3.1 document.", object()),
    },
  ],
};
