import { checkQuery } from "../../contract/check.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { SimpleEntities } from "../../core/auth/management/simple-entities.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import {
  customerDescription,
  customerFields,
  customerQuery,
  namedCustomers,
  newCustomerBody,
} from "./schema.ts";

const customers = new SimpleEntities(customerFields);

/** LiteLLM's `/customer/*` and `/end_user/*`. */
export function openCustomers({ keys }: Core): Feature {
  const at = (prefix: string) =>
    managementRoutes(keys, "customer_management", {
      [`POST ${prefix}/new`]: (managed: Managed) => customers.create(managed, newCustomerBody),
      [`POST ${prefix}/update`]: (managed: Managed) => customers.update(managed, newCustomerBody),
      [`POST ${prefix}/delete`]: async (managed: Managed) => {
        const deleted = await customers.delete(managed, await named(managed));
        return { deleted_customers: deleted.length, message: `${deleted.length} customers deleted` };
      },
      [`POST ${prefix}/block`]: async (managed: Managed) => ({
        blocked_users: await customers.setBlocked(managed, await named(managed), true),
      }),
      [`POST ${prefix}/unblock`]: async (managed: Managed) => ({
        unblocked_users: await customers.setBlocked(managed, await named(managed), false),
      }),
      [`GET ${prefix}/info`]: async (managed: Managed) =>
        customers.show(managed, checkQuery(customerQuery, managed.exchange.query).end_user_id),
      [`GET ${prefix}/list`]: (managed: Managed) => customers.list(managed),
    });
  return { routes: [...at("/customer"), ...at("/end_user")], descriptions: [customerDescription] };
}

async function named({ exchange }: Managed): Promise<readonly string[]> {
  return (await parseJsonBody(exchange, namedCustomers)).user_ids;
}
