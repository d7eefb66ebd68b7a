import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import type { RealmMailName } from "#domain/DefaultMail"
import type { Locale } from "#domain/Locale"
import type { PreviewedPage } from "#domain/PreviewedPage"
import { consoleHeader } from "./ConsoleSession.ts"
import { consolePath } from "./ServiceUrls.ts"

/** The page or default email of an app to preview, and its appearance. */
export interface PageLook {
  readonly page: PreviewedPage | RealmMailName
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
