import { Alert, Code, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { createTwoFilesPatch } from "diff";
import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import type { Configuration } from "../api/types.ts";
import { moment } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Refusal } from "../ui/use-action.tsx";

/** The configuration in force, what is wrong with it, and what of the file's newest text was not taken. */
export function ConfigurationPage(): ReactNode {
  const { data, error } = useQuery({
    queryKey: ["configuration"],
    queryFn: () => ask<Configuration>("ui/configuration"),
    refetchInterval: 3000,
  });
  return (
    <Page title="Configuration">
      <Refusal error={error} />
      {data?.file === null && (
        <Text>There is no configuration file: the gateway plays its providers itself.</Text>
      )}
      {data?.file != null && <Shown configuration={data} />}
    </Page>
  );
}

function Shown({ configuration }: { readonly configuration: Configuration }): ReactNode {
  const { file, loaded_at: loadedAt = "", text, warnings = [], rejected } = configuration;
  return (
    <Stack>
      <Text>
        {file}, in force since {moment(loadedAt)}. A change of the file is in force within two seconds;
        secrets are not shown.
      </Text>
      {rejected !== undefined && (
        <Alert
          color="red"
          role="alert"
          title={`What stands in the file since ${moment(rejected.at)} was not taken`}
        >
          <Problems lines={rejected.problems} />
        </Alert>
      )}
      {rejected?.text != null && text != null && (
        <section aria-label="What the file changes">
          <Title order={2} size="h4" mb="xs">
            What the file changes
          </Title>
          <Code block tabIndex={0}>
            {createTwoFilesPatch("in force", "in the file", text, rejected.text, "", "", { context: 3 })}
          </Code>
        </section>
      )}
      {warnings.length > 0 && (
        <section aria-label="Warnings">
          <Title order={2} size="h4" mb="xs">
            Warnings
          </Title>
          <Problems lines={warnings} />
        </section>
      )}
      <section aria-label="In force">
        <Title order={2} size="h4" mb="xs">
          In force
        </Title>
        <Code block tabIndex={0}>
          {text ?? "The file is no map, so nothing of it is shown."}
        </Code>
      </section>
    </Stack>
  );
}

function Problems({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <List size="sm">
      {[...new Set(lines)].map((line) => (
        <List.Item key={line} style={{ overflowWrap: "anywhere" }}>
          {line}
        </List.Item>
      ))}
    </List>
  );
}
