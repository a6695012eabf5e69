import "@mantine/core/styles.css";
import { type CSSVariablesResolver, createTheme, Drawer, MantineProvider, Modal } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { HashRouter } from "react-router";
import { ApiError } from "./api/client.ts";
import { App } from "./app.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal does not change by asking again.
      retry: (times, error) => times < 2 && (!(error instanceof ApiError) || error.status >= 500),
    },
  },
});

/** A dialog's title is no banner of the page, and its cross says what it does. */
const dialog = {
  attributes: { header: { role: "presentation" } },
  closeButtonProps: { "aria-label": "Close" },
};

const theme = createTheme({
  primaryColor: "indigo",
  // Text on filled buttons keeps a contrast of 4.5 in light and in dark.
  autoContrast: true,
  // Dialogs are there at once for whoever asks for less motion.
  respectReducedMotion: true,
  primaryShade: { light: 7, dark: 8 },
  components: {
    Modal: Modal.extend({ defaultProps: dialog }),
    Drawer: Drawer.extend({ defaultProps: dialog }),
  },
});

/** So does dimmed text. */
const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { "--mantine-color-dimmed": "var(--mantine-color-gray-7)" },
  dark: { "--mantine-color-dimmed": "var(--mantine-color-dark-1)" },
});

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
// For the styles that keep the page from scrolling behind a dialog.
setNonce(nonce);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={variables}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <HashRouter>
          <App />
        </HashRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
