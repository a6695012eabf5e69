import {
  Autocomplete,
  Button,
  Code,
  FileInput,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Tabs,
  Text,
  Textarea,
} from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { type ReactNode, useRef, useState } from "react";
import { send } from "../api/client.ts";
import { Page } from "../ui/page.tsx";
import { Refusal } from "../ui/use-action.tsx";
import { useModelNames } from "./model-names.ts";
import {
  type Call,
  EXAMPLE_TOOL,
  FORMATS,
  type Format,
  readImage,
  readTools,
  samples,
} from "./playground-formats.ts";

/** Sends a message to a model in one of the wire formats, and shows the same call as code. */
export function PlaygroundPage(): ReactNode {
  // A pattern is no model to call; what it stands for can be typed.
  const all = useModelNames();
  const names = all.filter((name) => !name.includes("*"));
  const [format, setFormat] = useState<Format>("chat");
  const [chosen, choose] = useState<string>();
  const [message, setMessage] = useState("Say hello.");
  const [image, setImage] = useState<File | null>(null);
  const [tools, setTools] = useState("");
  const [answer, setAnswer] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  const model = chosen ?? names[0] ?? "";
  const { list, problem } = toolsOf(tools);
  const canSend = !isRunning && model !== "" && problem === undefined;

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setAnswer("");
    setError(null);
    try {
      const { path, body, textOf } = FORMATS[format];
      const call = { model, message, tools: list, ...(image && { image: await readImage(image) }) };
      const response = await send(path, {
        method: "POST",
        body: { ...body(call), stream: true },
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
        <Autocomplete
          label="Model"
          placeholder={all[0] && `a name such as ${all[0]}`}
          data={names}
          value={model}
          onChange={choose}
        />
      </Group>
      <Textarea
        label="Message"
        description="Ctrl and Enter send it"
        onKeyDown={getHotkeyHandler([["mod+Enter", () => canSend && void run()]])}
        autosize
        minRows={3}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <FileInput
        label="Image"
        description="Goes along with the message"
        accept="image/*"
        clearable
        clearButtonProps={{ "aria-label": "Without the image" }}
        maw={300}
        value={image}
        onChange={setImage}
      />
      <Textarea
        label="Tools"
        description="A JSON list of objects with name, description and parameters; their calls are shown, nobody runs them"
        autosize
        minRows={1}
        error={problem}
        value={tools}
        onChange={(event) => setTools(event.currentTarget.value)}
      />
      <Group>
        <Button onClick={() => void run()} disabled={!canSend}>
          Send
        </Button>
        <Button variant="default" disabled={!isRunning} onClick={() => running.current?.abort()}>
          Stop
        </Button>
        <Button variant="default" onClick={() => setTools(JSON.stringify([EXAMPLE_TOOL], undefined, 2))}>
          Add an example tool
        </Button>
      </Group>
      <Refusal error={error} />
      <Paper withBorder p="md" aria-live="polite" aria-label="Answer" role="region" mih={80}>
        <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{answer.trimStart()}</Text>
      </Paper>
      <Samples
        path={FORMATS[format].path}
        body={FORMATS[format].body(shownCall(model, message, image, list))}
        format={format}
      />
    </Page>
  );
}

/** The call as code shows it: a picture has more letters than anybody reads. */
function shownCall(model: string, message: string, image: File | null, tools: Call["tools"]): Call {
  const { name = "", type = "" } = image ?? {};
  return { model, message, tools, ...(image && { image: { type, data: `<base64 of ${name}>` } }) };
}

function toolsOf(text: string): { list: Call["tools"]; problem?: string } {
  try {
    return { list: readTools(text) };
  } catch (error) {
    return { list: [], problem: (error as Error).message };
  }
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
