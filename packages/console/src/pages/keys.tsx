import { Badge, Button, Group, Menu } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { ask, send } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { Key, KeyPage, Session } from "../api/types.ts";
import { useSignIn } from "../session.ts";
import { budgetText, dollarsOf } from "../ui/budget.ts";
import { Confirm } from "../ui/confirm.tsx";
import { DataTable, Pager } from "../ui/data-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { dollars, moment } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { NewKey } from "../ui/secret.tsx";
import { Refusal, useAction } from "../ui/use-action.tsx";
import { useBudgetNames } from "./budget-names.ts";
import { type KeyFields, KeyForm } from "./key-form.tsx";
import { type Raised, RaiseForm } from "./raise-form.tsx";

const PAGE = 25;

/** Keys: create, change, rotate, block, delete. */
export function KeysPage({ session }: { readonly session: Session }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page") ?? "1");
  const alias = search.get("alias") ?? "";
  const query = useQuery({
    queryKey: ["keys", page, alias],
    queryFn: () =>
      ask<KeyPage>("key/list", { query: { return_full_object: true, page, size: PAGE, key_alias: alias } }),
    placeholderData: keepPreviousData,
  });
  const [edited, edit] = useState<Key | "new">();
  const [raised, raise] = useState<Raised>();
  const [secret, setSecret] = useState<string>();
  const [doomed, setDoomed] = useState<{ key: Key; path: "key/delete" | "key/regenerate" }>();
  const budgets = useBudgetNames(session);
  const signIn = useSignIn();
  const save = useAction(
    "keys",
    (fields: Partial<KeyFields>) =>
      edited === "new"
        ? ask<{ key?: string }>("key/generate", { method: "POST", body: withoutNull(fields) })
        : ask<{ key?: string }>("key/update", { method: "POST", body: { key: edited?.token, ...fields } }),
    ({ key }) => {
      if (edited === "new") setSecret(key);
      edit(undefined);
    },
  );
  const block = useAction("keys", ({ token, blocked }: Key) =>
    send(blocked ? "key/unblock" : "key/block", { method: "POST", body: { key: token } }),
  );
  const end = useAction(
    "keys",
    async ({ key, path }: NonNullable<typeof doomed>) => {
      if (path === "key/regenerate") {
        const renewed = await ask<{ key: string }>(path, { method: "POST", body: { key: key.token } });
        // The session ends with the key's text: the next one begins before anything else is asked.
        if (key.token === session.key_hash) await signIn.mutateAsync(renewed.key).catch(() => undefined);
        return renewed;
      }
      await send(path, { method: "POST", body: { keys: [key.token] } });
      return undefined;
    },
    (renewed) => {
      setSecret(renewed?.key);
      setDoomed(undefined);
    },
  );
  return (
    <Page
      title="Keys"
      actions={
        mayDo(session, "POST /key/generate") && <Button onClick={() => edit("new")}>Create a key</Button>
      }
    >
      {secret !== undefined && <NewKey secret={secret} onClose={() => setSecret(undefined)} />}
      <Refusal error={block.error} />
      <Group>
        <FilterInput
          label="Alias"
          value={search.get("alias") ?? ""}
          onChange={(value) => setSearch(value === "" ? {} : { alias: value })}
        />
      </Group>
      <DataTable
        label="Keys"
        query={query}
        rows={query.data?.keys}
        idOf={({ token }) => token}
        empty={alias === "" ? "There is no key yet." : "There is no such key."}
        columns={[
          { title: "Alias", cell: ({ key_alias, key_name }) => key_alias ?? key_name ?? "–" },
          { title: "Key", cell: ({ key_name }) => key_name ?? "–" },
          { title: "Owner", cell: ({ user_id, team_id }) => user_id ?? team_id ?? "–" },
          { title: "Models", cell: ({ models }) => (models.length === 0 ? "all" : models.join(", ")) },
          { title: "Spend", cell: ({ spend }) => dollars(spend), right: true },
          { title: "Budget", cell: budgetText, right: true },
          { title: "Expires", cell: ({ expires }) => (expires === null ? "never" : moment(expires)) },
          { title: "State", cell: ({ blocked }) => <State blocked={blocked === true} /> },
          {
            title: "Change",
            cell: (key) => (
              <KeyMenu
                name={key.key_alias ?? key.key_name ?? key.token}
                hash={key.token}
                blocked={key.blocked === true}
                onEdit={mayDo(session, "POST /key/update", targetOf(key)) && (() => edit(key))}
                onBlock={administers(session, key) && (() => block.mutate(key))}
                onRaise={
                  administers(session, key) && dollarsOf(key) !== undefined && (() => raise(raisedOf(key)))
                }
                onRotate={mayRotate(session, key) && (() => setDoomed({ key, path: "key/regenerate" }))}
                onDelete={
                  mayDo(session, "POST /key/delete", targetOf(key)) &&
                  (() => setDoomed({ key, path: "key/delete" }))
                }
              />
            ),
          },
        ]}
      />
      <Pager
        page={page}
        pages={query.data?.total_pages ?? 1}
        onChange={(next) => setSearch({ ...Object.fromEntries(search), page: String(next) })}
      />
      {edited !== undefined && (
        <KeyForm
          given={edited === "new" ? undefined : edited}
          isOwner={edited !== "new" && !administers(session, edited)}
          budgets={budgets}
          givesAway={mayDo(session, "POST /key/block")}
          error={save.error}
          isPending={save.isPending}
          onSave={(fields) => save.mutate(fields)}
          onClose={() => {
            save.reset();
            edit(undefined);
          }}
        />
      )}
      {raised !== undefined && <RaiseForm raised={raised} onClose={() => raise(undefined)} />}
      <Confirm
        question={doomed && question(doomed.key, doomed.path)}
        action={doomed?.path === "key/delete" ? "Delete" : "Rotate"}
        isPending={end.isPending}
        onConfirm={() => doomed && end.mutate(doomed)}
        onClose={() => {
          end.reset();
          setDoomed(undefined);
        }}
      >
        <Refusal error={end.error} />
      </Confirm>
    </Page>
  );
}

const targetOf = ({ token, user_id, team_id, organization_id }: Key) => ({
  keyHash: token,
  userId: user_id,
  teamId: team_id,
  organizationIds: [organization_id],
});

const raisedOf = ({ token, key_alias, key_name, ...limits }: Key): Raised => ({
  kind: "keys",
  path: "key/update",
  id: { key: token },
  name: key_alias ?? key_name ?? "the key",
  budget: dollarsOf(limits) ?? 0,
});

/** Whoever has a key changes its name alone; who administers what it belongs to may block it, and changes all of it. */
const administers = (session: Session, key: Key): boolean => mayDo(session, "POST /key/block", targetOf(key));

/** The session of an identity provider has a key that nobody sees: a new text would end it. */
const mayRotate = (session: Session, key: Key): boolean =>
  mayDo(session, "POST /key/regenerate", targetOf(key)) &&
  !(session.by === "sso" && key.token === session.key_hash);

function State({ blocked }: { readonly blocked: boolean }): ReactNode {
  return (
    <Badge color={blocked ? "red" : "green"} variant="dot">
      {blocked ? "blocked" : "in use"}
    </Badge>
  );
}

interface KeyMenuProps {
  readonly name: string;
  readonly hash: string;
  readonly blocked: boolean;
  /** Each is false where it is not offered. */
  readonly onEdit: (() => void) | false;
  readonly onBlock: (() => void) | false;
  readonly onRaise: (() => void) | false;
  readonly onRotate: (() => void) | false;
  readonly onDelete: (() => void) | false;
}

function KeyMenu({
  name,
  hash,
  blocked,
  onEdit,
  onBlock,
  onRaise,
  onRotate,
  onDelete,
}: KeyMenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  /** What is opened by an entry of the menu, which goes, gives the focus back to the button. */
  const chosen = (act: () => void) => () => {
    button.current?.focus();
    act();
  };
  return (
    <Group gap="xs" wrap="nowrap">
      {onEdit && (
        <Button size="compact-xs" variant="default" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <Button ref={button} size="compact-xs" variant="default" aria-label={`More for ${name}`}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`/requests?api_key=${encodeURIComponent(hash)}`}>
            Requests
          </Menu.Item>
          {onBlock && <Menu.Item onClick={chosen(onBlock)}>{blocked ? "Unblock" : "Block"}</Menu.Item>}
          {onRaise && <Menu.Item onClick={chosen(onRaise)}>Raise the budget for a day</Menu.Item>}
          {onRotate && <Menu.Item onClick={chosen(onRotate)}>Rotate</Menu.Item>}
          {onDelete && (
            <Menu.Item color="red" onClick={chosen(onDelete)}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function question(key: Key, path: "key/delete" | "key/regenerate"): string {
  const name = key.key_alias ?? key.key_name ?? key.token;
  return path === "key/delete"
    ? `Calls with the key ${name} are refused from now on.`
    : `The key ${name} gets a new text; calls with the old one are refused from now on.`;
}

/** A new key takes what is not said from the gateway's defaults. */
function withoutNull(fields: Partial<KeyFields>): Partial<KeyFields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
