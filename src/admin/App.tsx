import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { Router } from "wouter"
import { useSearch } from "wouter/use-browser-location"
import { consolePath } from "./calls/Place.ts"
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

/**
 * The search of the address, as it is: the router reads the escapes of what it is given, and so would those that the search's own
 * values are read from.
 */
const useRawSearch = (): string => useSearch().replaceAll("%", "%25")

/** The console. */
export const App = () => (
  <StrictMode>
    <LanguageProvider>
      <ThemeProvider>
        <QueryClientProvider client={reads}>
          <ToastProvider>
            <Router base={consolePath} searchHook={useRawSearch}>
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
