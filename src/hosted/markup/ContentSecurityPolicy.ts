import type { ConnectedApp } from "#domain/ConnectedApp"
import { brandStyleOf } from "./BrandStyle.ts"
import { passkeyScriptDigest } from "./PasskeyScript.ts"
import { scriptDigest } from "./Script.ts"
import { styleDigest } from "./Style.ts"

/** The parts of an app's design that affect the policy of its pages. */
type Branding = Pick<ConnectedApp, "header" | "footer" | "externalCss" | "appearance">

/** The maximum number of image origins in a policy. If there are more, the policy allows images from anywhere. */
const MAX_ORIGINS = 8

/** Returns the source expression of a file, without its query. Characters that would end a directive are escaped. */
const fileSourceOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

/**
 * Returns the sources of the app's logos, which this service hosts, and of the images in its markup. The sanitizer has made
 * all URLs absolute, and allows only https.
 */
const imageSources = ({ header, footer, appearance }: Branding): ReadonlyArray<string> => {
  const sources = `${header ?? ""}${footer ?? ""}`.matchAll(/<img[^>]* src="([^"]*)"/g)
  const origins = new Set([...sources].flatMap(([, url = ""]) => URL.parse(url)?.origin ?? []))
  const logos = appearance.logo === null && appearance.darkLogo === null ? [] : ["'self'"]
  const others = origins.size > MAX_ORIGINS ? ["https:"] : [...origins].filter((origin) => origin.startsWith("https:"))
  return [...logos, ...others]
}

/** The targets of a page's forms: only hosted login (`ours`), or also the app. */
export type FormScope = "ours" | "app"

/** The passkey script of a page, and the URL of the passkey options if they are not in the page. */
export interface PasskeyParts {
  readonly from?: string
}

/**
 * The content security policy of a page. It allows our style and the app's, our script, and form targets within hosted login
 * only (SEC-31).
 *
 * Browsers check every redirect after a form against `form-action`, including redirects by the app's own handler. Only the app
 * knows where these end, so the directive is omitted if a form can lead to the app (C83).
 *
 * `scripts`: the digests of the page's additional scripts. Pages with passkeys have one more script, which can connect to a
 * single URL (C136). `ownImages`: whether the page shows a logo other than the app's.
 */
export const contentSecurityPolicy = (
  forms: FormScope,
  app?: Branding,
  scripts: ReadonlyArray<string> = [],
  passkeys?: PasskeyParts,
  ownImages = false
): string => {
  const shown = app === undefined ? [] : imageSources(app)
  const images = ownImages && !shown.includes("'self'") ? ["'self'", ...shown] : shown
  const css = app?.externalCss ?? undefined
  const brand = app === undefined ? undefined : brandStyleOf(app.appearance)
  const digests = [scriptDigest, ...scripts, ...(passkeys === undefined ? [] : [passkeyScriptDigest])]
  return [
    "default-src 'none'",
    `style-src '${styleDigest}'${brand === undefined ? "" : ` '${brand.digest}'`}${css === undefined ? "" : ` ${fileSourceOf(css)}`}`,
    `script-src ${digests.map((digest) => `'${digest}'`).join(" ")}`,
    ...(passkeys?.from === undefined ? [] : [`connect-src ${passkeys.from}`]),
    ...(images.length === 0 ? [] : [`img-src ${images.join(" ")}`]),
    ...(forms === "ours" ? ["form-action 'self'"] : []),
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")
}
