import { Button, Paper, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { ask } from "../api/client.ts";
import type { Agent } from "../api/types.ts";
import { Refusal } from "../ui/use-action.tsx";

interface Turn {
  readonly from: "you" | "agent";
  readonly text: string;
}

/** What A2A 0.3 answers `message/send` with: a message, or the task that it became. */
interface Sent {
  readonly kind?: string;
  readonly contextId?: string;
  readonly parts?: readonly Part[];
  readonly artifacts?: readonly { readonly parts?: readonly Part[] }[];
  readonly status?: { readonly state: string; readonly message?: { readonly parts?: readonly Part[] } };
}

interface Part {
  readonly text?: string;
}

/** A talk with an agent by A2A; what was said before goes along by its context. */
export function AgentChat({ agent }: { readonly agent: Agent }): ReactNode {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const [contextId, setContext] = useState<string>();
  const say = useMutation({
    mutationFn: (message: string) => sendMessage(agent, message, contextId),
    onSuccess: (answer) => {
      setContext(answer.contextId ?? contextId);
      setTurns((before) => [...before, { from: "agent", text: textOf(answer) }]);
    },
  });
  const send = (): void => {
    setTurns((before) => [...before, { from: "you", text }]);
    setText("");
    say.mutate(text);
    // The button, which has the focus, is for nothing until there is a further message.
    field.current?.focus();
  };
  const canSend = text.trim() !== "" && !say.isPending;
  return (
    <Stack>
      <Stack gap="xs" role="log" aria-label="The talk">
        {turns.map(({ from, text: said }, at) => (
          // A talk only grows.
          // biome-ignore lint/suspicious/noArrayIndexKey: turns keep their places
          <Paper key={at} withBorder p="xs" ml={from === "you" ? "xl" : 0} mr={from === "you" ? 0 : "xl"}>
            <Text size="xs" c="dimmed">
              {from === "you" ? "You" : agent.agent_name}
            </Text>
            <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{said}</Text>
          </Paper>
        ))}
      </Stack>
      <Refusal error={say.error} />
      <Textarea
        ref={field}
        label="Message"
        description="Ctrl and Enter send it"
        onKeyDown={getHotkeyHandler([["mod+Enter", () => canSend && send()]])}
        autosize
        minRows={2}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button onClick={send} loading={say.isPending} disabled={!canSend}>
        Send
      </Button>
    </Stack>
  );
}

/** Sends one message and waits for what comes of it. @throws Error what the agent refuses it with */
async function sendMessage(agent: Agent, text: string, contextId: string | undefined): Promise<Sent> {
  const { result, error } = await ask<{ result?: Sent; error?: { message: string } }>(
    `a2a/${encodeURIComponent(agent.agent_id)}`,
    {
      method: "POST",
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "message/send",
        params: {
          message: {
            kind: "message",
            // Browsers have randomUUID over HTTPS alone.
            messageId: crypto.getRandomValues(new Uint32Array(4)).join("-"),
            role: "user",
            parts: [{ kind: "text", text }],
            ...(contextId === undefined ? {} : { contextId }),
          },
        },
      },
    },
  );
  if (result === undefined) throw new Error(error?.message ?? "The agent answered nothing.");
  return result;
}

/** What the agent said: the parts of its message or of its results, else the state of its task. */
function textOf({ parts, artifacts = [], status }: Sent): string {
  const all = parts ?? artifacts.flatMap((artifact) => artifact.parts ?? []);
  const said = (all.length > 0 ? all : (status?.message?.parts ?? []))
    .map((part) => part.text ?? "")
    .join("");
  return said === "" ? `(${status?.state ?? "nothing"})` : said;
}
