import {
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { mayDo } from "./api/may.ts";
import type { Session } from "./api/types.ts";
import { PAGES } from "./page-table.ts";
import { useSignOut } from "./session.ts";

const CONTENT = "content";

interface LayoutProps {
  readonly session: Session;
  readonly children: ReactNode;
}

/** Menu, header, and the page. */
export function Layout({ session, children }: LayoutProps): ReactNode {
  const [isOpen, menu] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  // Where the menu opens and closes; a closed one is beside the window, and so would be its focus.
  const isNarrow = useMediaQuery("(max-width: 47.99em)");
  const { pathname } = useLocation();
  const signOut = useSignOut();
  return (
    <>
      <SkipLink />
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                ref={burger}
                opened={isOpen}
                onClick={menu.toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label="Menu"
                aria-expanded={isOpen}
              />
              <Text fw={700}>Portico</Text>
            </Group>
            <Group gap="sm" wrap="nowrap">
              <Text size="sm" visibleFrom="sm">
                {session.user_id ?? session.key_name ?? session.role}
              </Text>
              <Button
                variant="default"
                size="xs"
                onClick={() => signOut.mutate(session)}
                loading={signOut.isPending}
              >
                Sign out
              </Button>
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Pages" inert={isNarrow === true && !isOpen}>
          <Stack gap={2} flex={1}>
            {PAGES.filter((page) => !("needs" in page) || mayDo(session, page.needs)).map(
              ({ path, title }) => (
                <NavLink
                  key={path}
                  component={Link}
                  to={path}
                  label={title}
                  variant="filled"
                  active={pathname === path}
                  aria-current={pathname === path ? "page" : undefined}
                  onClick={() => {
                    menu.close();
                    if (isNarrow === true) burger.current?.focus();
                  }}
                />
              ),
            )}
          </Stack>
          <ColorScheme />
        </AppShell.Navbar>
        <AppShell.Main id={CONTENT} tabIndex={-1}>
          {children}
        </AppShell.Main>
      </AppShell>
    </>
  );
}

/** The first stop of Tab: past the menu, to what the page shows. It is seen while it has the focus. */
function SkipLink(): ReactNode {
  const [isFocused, setFocused] = useState(false);
  const place = isFocused ? { top: 8, left: 8, zIndex: 1000 } : { top: 0, left: -10_000 };
  return (
    <Button
      component="a"
      href={`#${CONTENT}`}
      pos="fixed"
      style={place}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onClick={(event) => {
        // What stands behind the hash is the page.
        event.preventDefault();
        document.getElementById(CONTENT)?.focus();
      }}
    >
      Skip to content
    </Button>
  );
}

function ColorScheme(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Colors"
      size="xs"
      value={colorScheme}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
      data={[
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
        { value: "auto", label: "System" },
      ]}
    />
  );
}
