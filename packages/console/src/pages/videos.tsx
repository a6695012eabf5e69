import { Badge, Button, Progress, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import type { Video } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { moment } from "../ui/format.ts";
import { MoreButton, usePages } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { save } from "../ui/save.ts";
import { Refusal, useAction } from "../ui/use-action.tsx";

const RUNNING = ["queued", "in_progress"];

/** The caller's videos, newest first: how far each is, and its file. */
export function VideosPage(): ReactNode {
  const list = usePages<Video>("videos", "v1/videos", ({ status }) => RUNNING.includes(status));
  const [doomed, setDoomed] = useState<Video>();
  const remove = useAction(
    "videos",
    ({ id }: Video) => send(`v1/videos/${encodeURIComponent(id)}`, { method: "DELETE" }),
    () => setDoomed(undefined),
  );
  const fetched = useAction("video-files", async ({ id }: Video) => {
    const answer = await send(`v1/videos/${encodeURIComponent(id)}/content`);
    save(`${id}.mp4`, await answer.blob());
  });
  return (
    <Page title="Videos">
      <DataTable
        label="Videos, newest first"
        query={list.query}
        rows={list.rows}
        idOf={({ id }) => id}
        empty="There is no video. POST /v1/videos makes one."
        columns={[
          { title: "Created", cell: ({ created_at }) => moment(created_at * 1000) },
          {
            title: "Video",
            cell: ({ id }) => (
              <Text size="sm" truncate maw={180} title={id}>
                {id}
              </Text>
            ),
          },
          { title: "Model", cell: ({ model }) => model },
          {
            title: "Size",
            cell: ({ size, seconds }) => [size, seconds && `${seconds} s`].filter(Boolean).join(", "),
          },
          { title: "State", cell: (video) => <State video={video} /> },
          {
            title: "File",
            cell: (video) =>
              video.status === "completed" && (
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={fetched.isPending && fetched.variables.id === video.id}
                  onClick={() => fetched.mutate(video)}
                  aria-label={`Save ${video.id}`}
                >
                  Save
                </Button>
              ),
          },
          {
            title: "Change",
            cell: (video) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setDoomed(video)}
                aria-label={`Delete ${video.id}`}
              >
                Delete
              </Button>
            ),
          },
        ]}
      />
      <MoreButton list={list} />
      <Refusal error={fetched.error} />
      <Removal
        doomed={doomed}
        question={({ id }) => `The provider deletes ${id} and its file.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}

function State({ video: { id, status, progress, error } }: { readonly video: Video }): ReactNode {
  const color = status === "completed" ? "green" : status === "failed" ? "red" : "blue";
  return (
    <Stack gap={2} miw={120}>
      <Badge variant="dot" color={color}>
        {status.replaceAll("_", " ")}
      </Badge>
      {RUNNING.includes(status) && <Progress value={progress ?? 0} aria-label={`Progress of ${id}`} />}
      {error?.message && (
        <Text size="xs" c="red" maw={260}>
          {error.message}
        </Text>
      )}
    </Stack>
  );
}
