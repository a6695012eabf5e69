import { Badge, Button, Progress, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import type { Video } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { moment } from "../ui/format.ts";
import { IdCell } from "../ui/id-cell.tsx";
import { MoreButton, usePages } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { SaveButton } from "../ui/save-button.tsx";
import { useAction } from "../ui/use-action.tsx";

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
            cell: ({ id }) => <IdCell id={id} />,
          },
          { title: "Model", cell: ({ model }) => model },
          {
            title: "Size",
            cell: ({ size, seconds }) => [size, seconds && `${seconds} s`].filter(Boolean).join(", "),
          },
          { title: "State", cell: (video) => <State video={video} /> },
          {
            title: "File",
            cell: ({ id, status }) =>
              status === "completed" && (
                <SaveButton
                  path={`v1/videos/${encodeURIComponent(id)}/content`}
                  file={`${id}.mp4`}
                  label={`Save ${id}`}
                >
                  Save
                </SaveButton>
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
