import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { Router } from "wouter"
import { isMissing } from "./calls/Problems.ts"
import { consolePath } from "./calls/ServiceUrls.ts"
import { usePlace, useRawSearch } from "./history/Places.ts"
import { Pages } from "./Pages.tsx"
import { SessionProvider } from "./session/SessionState.tsx"
import { ThemeProvider } from "./shell/Theme.tsx"
import { FirstOwner } from "./team/FirstOwner.tsx"
import { LanguageProvider } from "./texts/Language.tsx"
import { ToastProvider } from "./ui/Toast.tsx"

const reads = new QueryClient({
  defaultOptions: {
    // The call itself finds out whether the service is reachable. The browser's online state is unreliable.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      // The SDK already retries what is safe to retry.
      retry: false,
      staleTime: 2_000,
      // Returning to a list shows all the pages that were loaded.
      gcTime: 30 * 60_000,
      refetchOnWindowFocus: (query) => !isMissing(query.state.error)
    }
  }
})

/** The console: providers and pages. */
export const App = () => (
  <StrictMode>
    <LanguageProvider>
      <ThemeProvider>
        <QueryClientProvider client={reads}>
          <Router base={consolePath} hook={usePlace} searchHook={useRawSearch}>
            <ToastProvider>
              <SessionProvider>
                <FirstOwner />
                <Pages />
              </SessionProvider>
            </ToastProvider>
          </Router>
        </QueryClientProvider>
      </ThemeProvider>
    </LanguageProvider>
  </StrictMode>
)
