import {
  Autocomplete,
  Button,
  Code,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Tabs,
  Text,
  Textarea,
} from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { send } from "../api/client.ts";
import { Page } from "../ui/page.tsx";
import { Refusal } from "../ui/use-action.tsx";
import { useModelNames } from "./model-names.ts";
import { FORMATS, type Format, samples } from "./playground-formats.ts";

/** Sends a message to a model in one of the wire formats, and shows the same call as code. */
export function PlaygroundPage(): ReactNode {
  // A pattern is no model to call; what it stands for can be typed.
  const names = useModelNames().filter((name) => !name.includes("*"));
  const [format, setFormat] = useState<Format>("chat");
  const [chosen, choose] = useState<string>();
  const [message, setMessage] = useState("Say hello.");
  const [answer, setAnswer] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  const model = chosen ?? names[0] ?? "";

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setAnswer("");
    setError(null);
    try {
      const { path, body, textOf } = FORMATS[format];
      const response = await send(path, {
        method: "POST",
        body: { ...body(model, message), stream: true },
        signal: controller.signal,
      });
      for await (const data of eventsOf(response)) {
        const text = textOf(data);
        if (text !== "") setAnswer((before) => before + text);
      }
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure as Error);
    } finally {
      setRunning(false);
    }
  };

  return (
    <Page title="Playground">
      <Group align="end">
        <SegmentedControl
          aria-label="Wire format"
          value={format}
          onChange={(value) => setFormat(value as Format)}
          data={Object.entries(FORMATS).map(([value, { title }]) => ({ value, label: title }))}
        />
        <Autocomplete label="Model" data={names} value={model} onChange={choose} />
      </Group>
      <Textarea
        label="Message"
        autosize
        minRows={3}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <Group>
        <Button onClick={() => void run()} disabled={isRunning || model === ""}>
          Send
        </Button>
        <Button variant="default" disabled={!isRunning} onClick={() => running.current?.abort()}>
          Stop
        </Button>
      </Group>
      <Refusal error={error} />
      <Paper withBorder p="md" aria-live="polite" aria-label="Answer" role="region" mih={80}>
        <Text style={{ whiteSpace: "pre-wrap" }}>{answer}</Text>
      </Paper>
      <Samples path={FORMATS[format].path} body={FORMATS[format].body(model, message)} format={format} />
    </Page>
  );
}

function Samples({ path, body, format }: { path: string; body: object; format: Format }): ReactNode {
  const texts = samples(path, body, format);
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label="The same call as code">
        {Object.keys(texts).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Stack mt="sm">
        {Object.entries(texts).map(([name, text]) => (
          <Tabs.Panel key={name} value={name}>
            <Code block tabIndex={0}>
              {text}
            </Code>
          </Tabs.Panel>
        ))}
      </Stack>
    </Tabs>
  );
}

/** The data of each event of a stream, up to its end. */
async function* eventsOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let rest = "";
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = "" } = await reader.read();
    rest += value;
    const lines = rest.split("\n");
    rest = lines.pop()!;
    for (const line of lines)
      if (line.startsWith("data:") && line.trim() !== "data: [DONE]")
        yield JSON.parse(line.slice(5)) as Record<string, unknown>;
    if (done) return;
  }
}
