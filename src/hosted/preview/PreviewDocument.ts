import type { PagePreview } from "#core/apps/AppDrafts"
import { logoPath } from "#domain/Appearance"
import { withTheme } from "#domain/FixedTheme"
import { logoDataUrl } from "#platform/LogoDataUrl"
import { renderDocument, type View } from "../markup/Document.ts"
import type { PageContext } from "../PageContext.ts"

/** Matches the scripts of the pages. The markup of apps contains no scripts. */
const scripts = /<script>.*?<\/script>/gs

/** The attributes of what a script shows or hides if the browser supports passkeys, as in the page and as in its preview. */
const byScript = [
  [' hidden data-passkey="', ' data-passkey="'],
  [' hidden data-passkeys="with"', ' data-passkeys="with"'],
  [' data-passkeys="without"', ' hidden data-passkeys="without"']
] as const

/**
 * Renders a view as a self-contained document. Logos are embedded, the theme is fixed, and the page looks as if its scripts
 * had run in a browser with passkeys.
 */
export const previewDocument = (context: PageContext, view: View, { logos, theme }: PagePreview): string => {
  const document = byScript.reduce(
    (markup, [before, after]) => markup.replaceAll(before, after),
    renderDocument(context, view).replaceAll(scripts, "")
  )
  return logos.reduce(
    (markup, logo) => markup.replaceAll(`"${logoPath(logo.file)}"`, `"${logoDataUrl(logo)}"`),
    withTheme(document, theme)
  )
}
