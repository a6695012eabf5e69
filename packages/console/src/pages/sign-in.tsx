import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { gatewayUrl } from "../api/client.ts";
import { useSignIn } from "../session.ts";

const hasSso = document.querySelector<HTMLMetaElement>('meta[name="sso"]')?.content === "yes";

/** Asks for a gateway key, or leads to the identity provider. */
export function SignInPage(): ReactNode {
  const [key, setKey] = useState("");
  const signIn = useSignIn();
  useEffect(() => {
    document.title = "Sign in · Portico";
  }, []);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420} radius="md">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            signIn.mutate(key.trim());
          }}
        >
          <Stack>
            <Title order={1} size="h2">
              Portico
            </Title>
            <Text size="sm">
              Sign in with a gateway key. The master key shows everything, any other key what its owner may
              see. The configuration says the master key (master_key); otherwise the file master-key in the
              data directory has it.
            </Text>
            <PasswordInput
              label="Gateway key"
              placeholder="sk-..."
              autoComplete="current-password"
              required
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            {signIn.error !== null && (
              <Alert color="red" role="alert" title="Not signed in">
                {signIn.error.message}
              </Alert>
            )}
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
            {hasSso && (
              <Button
                component="a"
                variant="default"
                href={new URL("sso/key/generate?return_to=/ui/", gatewayUrl).href}
              >
                Sign in at the identity provider
              </Button>
            )}
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
