import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import type { Locale } from "#domain/Locale"
import { consoleHeader } from "./ConsoleSession.ts"
import { consolePath } from "./ServiceUrls.ts"

/** The page of an app to preview, and its appearance. */
export interface PageLook {
  readonly page: "login" | "signup" | "profile"
  readonly theme: "light" | "dark"
  readonly locale: Locale
}

interface Asked extends PageLook {
  readonly realmId: string
  readonly appId: string
  /** The unsaved settings. */
  readonly draft: ConnectedAppInput
}

/** Renders a page of an app with unsaved settings. Returns undefined if the service can't render it. */
export const previewPage = async (
  { realmId, appId, draft, ...look }: Asked,
  signal: AbortSignal
): Promise<string | undefined> => {
  const address = `${consolePath}/preview/apps/${encodeURIComponent(appId)}?realm_id=${encodeURIComponent(realmId)}`
  const response = await fetch(address, {
    method: "POST",
    headers: { ...consoleHeader, "content-type": "application/json" },
    body: JSON.stringify({ ...look, client_app: draft }),
    signal
  })
  return response.ok ? response.text() : undefined
}
