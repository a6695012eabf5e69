import { moment } from "../../contract/moment.ts";
import { answers, type GroupDescription } from "../../contract/operation.ts";
import { list, object, orNull, text, whole, word } from "../../contract/schema.ts";
import { name } from "../../core/auth/fields/restriction-fields.ts";
import { pageQuery } from "../../core/auth/management/paging.ts";

export const auditQuery = object({
  ...pageQuery,
  changed_by: name("Only changes by this user."),
  changed_by_api_key: name("Only changes by the key with this hash."),
  action: word(["created", "updated", "deleted", "blocked", "unblocked", "rotated"], "Only this action."),
  table_name: name("Only changes of this table, by LiteLLM's name."),
  object_id: name("Only changes of this object."),
  start_date: moment("From this day (`2027-01-31`) or moment on, in UTC."),
  end_date: moment("Until the end of this day, or before this moment."),
  sort_order: word(["asc", "desc"], "The newest first (`desc`), or the oldest."),
  format: word(["json", "csv"], "`csv` exports all pages at once."),
});

const entry = object({
  id: text(),
  updated_at: text(),
  changed_by: text(),
  changed_by_api_key: text("The hash of the key that asked for it."),
  address: orNull(text("Where the request came from.")),
  action: text(),
  table_name: text(),
  object_id: text(),
  before_value: orNull(object()),
  updated_values: orNull(object()),
});

/** LiteLLM's audit log. */
export const auditDescription: GroupDescription = {
  tag: "Audit",
  about:
    "Every change of what is managed: who, when, from where, before and after, without secrets. Nothing changes or removes an entry.",
  operations: [
    {
      method: "GET",
      path: "/audit",
      id: "listAudit",
      summary: "List changes",
      query: auditQuery,
      answer: answers(
        "A page of changes; with `format=csv` or `Accept: text/csv` all of them as CSV.",
        object({
          audit_logs: list(entry),
          total: whole(),
          page: whole(),
          page_size: whole(),
          total_pages: whole(),
        }),
      ),
    },
    {
      method: "GET",
      path: "/audit/{audit_id}",
      id: "retrieveAudit",
      summary: "Look at one change",
      answer: answers("The change.", entry),
      errors: { 404: { when: "There is no such entry for this key." } },
    },
  ],
};
