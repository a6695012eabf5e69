import { answers, type GroupDescription } from "../../contract/operation.ts";
import { object } from "../../contract/schema.ts";

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
      path: "/openapi.json",
      id: "describe",
      summary: "This description",
      answer: answers("An OpenAPI 3.1 document.", object()),
    },
  ],
};
