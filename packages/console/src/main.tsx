import "@mantine/core/styles.css";
import { createTheme, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
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

const theme = createTheme({
  primaryColor: "indigo",
  // Text on filled buttons and dimmed text keep a contrast of 4.5 in light and in dark.
  autoContrast: true,
  primaryShade: { light: 7, dark: 8 },
});

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <HashRouter>
          <App />
        </HashRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
