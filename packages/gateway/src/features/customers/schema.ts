import { answers, type GroupDescription, type Operation, posted } from "../../contract/operation.ts";
import { closed, given, list, object, orNull, type Schema, text, whole } from "../../contract/schema.ts";
import { limitFields } from "../../core/auth/fields/limit-fields.ts";
import { modelLimitFields } from "../../core/auth/fields/model-scopes.ts";
import { metadata, name } from "../../core/auth/fields/restriction-fields.ts";
import { type EntityFields, entityBody, UNENFORCED_LIMITS } from "../../core/auth/records/entities.ts";

/** What a customer can be given. */
export const customerFields: EntityFields = {
  type: {
    kind: "customer",
    table: "LiteLLM_EndUserTable",
    idField: "user_id",
    aliasField: "alias",
  },
  fields: {
    user_id: name("As calls name it: `user` in the body, or `x-litellm-customer-id`."),
    alias: name("A name for it in lists."),
    metadata: metadata("Free."),
    blocked: { type: "boolean", description: "Its calls are refused while true." },
    ...limitFields,
  },
  unenforced: new Map([
    ...UNENFORCED_LIMITS,
    ...Object.keys(modelLimitFields).map((limit): [string, string] => [limit, "give it to keys"]),
    ["models", "give models to keys"],
    ["allowed_model_region", "give it to keys"],
    ["default_model", "name a model in calls"],
    ["object_permission", "objects belong to whoever made them"],
    ["spend", "the spend is what its calls cost"],
  ]),
};

export const newCustomerBody = entityBody(customerFields, ["user_id"]);
export const namedCustomers = closed(given({ "user_ids!": list(name(), undefined, { maxItems: 1000 }) }));
export const customerQuery = object({ "end_user_id!": name("Which customer.") });

const customer = object({ user_id: text(), alias: orNull(text()) });
const missing = { 404: { when: "There is no such customer." } };

/** The same operations at both of LiteLLM's names. */
function operationsAt(prefix: string, kind: string): Operation[] {
  const post = (
    path: string,
    id: string,
    summary: string,
    request: Schema,
    answer: Schema = customer,
  ): Operation => {
    const named = { path: `${prefix}/${path}`, id, summary };
    return posted(named, request, answer, path === "new" ? undefined : missing);
  };
  return [
    post("new", `create${kind}`, "Make a customer", newCustomerBody),
    post("update", `update${kind}`, "Change a customer", newCustomerBody),
    post(
      "delete",
      `delete${kind}s`,
      "Delete customers",
      namedCustomers,
      object({ deleted_customers: whole() }),
    ),
    post(
      "block",
      `block${kind}s`,
      "Refuse customers' calls from now on, also of customers that were not made",
      namedCustomers,
      object(),
    ),
    post("unblock", `unblock${kind}s`, "Accept customers' calls again", namedCustomers, object()),
    {
      method: "GET",
      path: `${prefix}/info`,
      id: `retrieve${kind}`,
      summary: "Look at a customer",
      query: customerQuery,
      answer: answers("The customer.", customer),
      errors: missing,
    },
    {
      method: "GET",
      path: `${prefix}/list`,
      id: `list${kind}s`,
      summary: "List customers",
      answer: answers("The customers.", list(customer)),
    },
  ];
}

/** LiteLLM's customers, which it also calls end users. */
export const customerDescription: GroupDescription = {
  tag: "Customers",
  about: "Those for whom calls are made, as `user` names them. `/end_user/*` is the older name.",
  operations: [...operationsAt("/customer", "Customer"), ...operationsAt("/end_user", "EndUser")],
};
