import { HostedLoginError } from "./HostedLoginError.ts"

/** The options of a call to the hosted login API. */
interface PostInit {
  readonly method: "POST"
  readonly body: URLSearchParams
  readonly credentials: "omit"
  readonly keepalive: boolean
}

/** The parts of a browser's `window` that the client uses. */
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

/** The browser's window. */
export const browserWindow = (): BrowserWindow => {
  const found: unknown = Reflect.get(globalThis, "window")
  if (isWindow(found)) return found
  throw new HostedLoginError("no_browser", "Hosted login requires a browser. Call it only from code that runs there.")
}
