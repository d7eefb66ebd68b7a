import type { PagePreview } from "#core/apps/AppDrafts"
import { logoPath, logoTypeOf } from "#domain/Appearance"
import { renderDocument, type View } from "../markup/Document.ts"
import type { PageContext } from "../PageContext.ts"

/** The condition by which pages have a dark theme. */
const IN_DARK = "(prefers-color-scheme: dark)"

/** Those of the pages, which are all ours: markup of apps has none. */
const scripts = /<script>.*?<\/script>/gs

/** A form about a passkey, which a script of the page shows where the browser knows passkeys. */
const hiddenPasskey = ' hidden data-passkey="'

/** A view as a document that stands by itself: its logos are in it, its theme is chosen, and what scripts show is shown without any. */
export const previewDocument = (context: PageContext, view: View, { logos, theme }: PagePreview): string => {
  const themed = renderDocument(context, view)
    .replaceAll(scripts, "")
    .replaceAll(hiddenPasskey, ' data-passkey="')
    .replaceAll(IN_DARK, theme === "dark" ? "all" : "not all")
    .replaceAll("color-scheme: light dark", `color-scheme: ${theme}`)
  return logos.reduce(
    (markup, { file, bytes }) =>
      markup.replaceAll(
        `"${logoPath(file)}"`,
        `"data:${logoTypeOf(file)};base64,${Buffer.from(bytes).toString("base64")}"`
      ),
    themed
  )
}
