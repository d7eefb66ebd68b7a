import type { ConnectedApp } from "#domain/ConnectedApp"
import { brandStyleOf } from "./BrandStyle.ts"
import { passkeyScriptDigest } from "./PasskeyScript.ts"
import { scriptDigest } from "./Script.ts"
import { styleDigest } from "./Style.ts"

/** The parts of an app's design that its pages show. */
type Branding = Pick<ConnectedApp, "header" | "footer" | "externalCss" | "appearance">

/** The maximum number of image origins in a policy. If there are more, images may come from anywhere. */
const MAX_ORIGINS = 8

/** The source expression of a file: without its query, and with the characters escaped that would end a directive. */
const fileSourceOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

/**
 * The sources of the app's logos, which this service hosts, and of the images in its markup. The sanitizer has made each URL
 * absolute and allows only https.
 */
const imageSources = ({ header, footer, appearance }: Branding): ReadonlyArray<string> => {
  const sources = `${header ?? ""}${footer ?? ""}`.matchAll(/<img[^>]* src="([^"]*)"/g)
  const origins = new Set([...sources].flatMap(([, url = ""]) => URL.parse(url)?.origin ?? []))
  const logos = appearance.logo === null && appearance.darkLogo === null ? [] : ["'self'"]
  const others = origins.size > MAX_ORIGINS ? ["https:"] : [...origins].filter((origin) => origin.startsWith("https:"))
  return [...logos, ...others]
}

/** Whether the forms of a page may lead out of hosted login. */
export type FormScope = "ours" | "app"

/** The passkey script of a page, and the URL of its options if the page doesn't contain them. */
export interface PasskeyParts {
  readonly from?: string
}

/**
 * The policy of a page: our style and the app's, our script, and no form targets outside hosted login (SEC-31). Browsers check
 * every redirect after a form against `form-action`, including those of the app's own handler. If a form may lead to the app,
 * only the app knows where the redirects end, so the directive is left out (C83). `scripts`: the digests of the page's
 * additional scripts. A page with passkeys has one more script, which may reach a single URL (C136). `ownImages`: the page
 * shows a logo besides the app's.
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
