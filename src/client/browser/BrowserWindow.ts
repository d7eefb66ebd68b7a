import { HostedLoginError } from "./HostedLoginError.ts"

/** What a call of the hosted login API is made with. */
interface PostInit {
  readonly method: "POST"
  readonly body: URLSearchParams
  readonly credentials: "omit"
  readonly keepalive: boolean
}

/** What of a browser's `window` is used. */
export interface BrowserWindow {
  readonly location: { readonly href: string; assign(url: string): void }
  readonly history: { readonly state: unknown; replaceState(state: unknown, unused: string, url: string): void }
  readonly sessionStorage: {
    getItem(key: string): string | null
    setItem(key: string, value: string): void
    removeItem(key: string): void
  }
  fetch(url: string, init: PostInit): Promise<{ readonly ok: boolean; text(): Promise<string> }>
}

const isWindow = (value: unknown): value is BrowserWindow =>
  typeof value === "object" && value !== null && "location" in value && "history" in value

/** The browser's own window. */
export const browserWindow = (): BrowserWindow => {
  const found: unknown = Reflect.get(globalThis, "window")
  if (isWindow(found)) return found
  throw new HostedLoginError("no_browser", "Hosted login needs a browser: call it from code that runs there only.")
}
