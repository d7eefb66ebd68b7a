import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { Router } from "wouter"
import { isMissing } from "./calls/Problems.ts"
import { Pages } from "./Pages.tsx"
import { SessionProvider } from "./session/SessionState.tsx"
import { ThemeProvider } from "./shell/Theme.tsx"
import { LanguageProvider } from "./texts/Language.tsx"
import { ToastProvider } from "./ui/Toast.tsx"

const reads = new QueryClient({
  defaultOptions: {
    // Whether the service can be reached is told by the call, not by what the browser thinks of the network.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      // The SDK repeats by itself what can be repeated.
      retry: false,
      staleTime: 2_000,
      refetchOnWindowFocus: (query) => !isMissing(query.state.error)
    }
  }
})

/** The console. */
export const App = () => (
  <StrictMode>
    <LanguageProvider>
      <ThemeProvider>
        <QueryClientProvider client={reads}>
          <ToastProvider>
            <Router base="/console">
              <SessionProvider>
                <Pages />
              </SessionProvider>
            </Router>
          </ToastProvider>
        </QueryClientProvider>
      </ThemeProvider>
    </LanguageProvider>
  </StrictMode>
)
