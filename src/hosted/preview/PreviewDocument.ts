import type { PagePreview } from "#core/apps/AppDrafts"
import { logoPath } from "#domain/Appearance"
import { withTheme } from "#domain/FixedTheme"
import { logoDataUrl } from "#platform/LogoDataUrl"
import { renderDocument, type View } from "../markup/Document.ts"
import type { PageContext } from "../PageContext.ts"

/** Matches the scripts of the pages. The markup of apps contains no scripts. */
const scripts = /<script>.*?<\/script>/gs

/** The start of a passkey form. A script shows the form if the browser supports passkeys. */
const hiddenPasskey = ' hidden data-passkey="'

/**
 * Renders a view as a self-contained document. Logos are embedded, the theme is fixed, and the parts that scripts would reveal
 * are visible.
 */
export const previewDocument = (context: PageContext, view: View, { logos, theme }: PagePreview): string => {
  const document = renderDocument(context, view).replaceAll(scripts, "").replaceAll(hiddenPasskey, ' data-passkey="')
  return logos.reduce(
    (markup, logo) => markup.replaceAll(`"${logoPath(logo.file)}"`, `"${logoDataUrl(logo)}"`),
    withTheme(document, theme)
  )
}
