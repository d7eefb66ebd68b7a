import type { ConnectedApp } from "#domain/ConnectedApp"
import { brandStyleOf } from "./BrandStyle.ts"
import { passkeyScriptDigest } from "./PasskeyScript.ts"
import { scriptDigest } from "./Script.ts"
import { styleDigest } from "./Style.ts"

/** The parts of an app's own design that its pages show. */
type Branding = Pick<ConnectedApp, "header" | "footer" | "externalCss" | "appearance">

/** How many origins of images a policy lists. With more, images may come from anywhere. */
const MAX_ORIGINS = 8

/** The source expression of one file: without query, and with what would end a directive escaped. */
const fileSourceOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

/** The sources of the app's logos, which are ours, and of the images in its markup. The sanitizer has written each URL in full, and lets only https pass. */
const imageSources = ({ header, footer, appearance }: Branding): ReadonlyArray<string> => {
  const sources = `${header ?? ""}${footer ?? ""}`.matchAll(/<img[^>]* src="([^"]*)"/g)
  const origins = new Set([...sources].flatMap(([, url = ""]) => URL.parse(url)?.origin ?? []))
  const logos = appearance.logo === null && appearance.darkLogo === null ? [] : ["'self'"]
  const others = origins.size > MAX_ORIGINS ? ["https:"] : [...origins].filter((origin) => origin.startsWith("https:"))
  return [...logos, ...others]
}

/** Whether the forms of a page may lead out of hosted login in the end. */
export type FormScope = "ours" | "app"

/** What a page has for passkeys: its script, and the URL of the options that it asks for, if they don't come with the page. */
export interface PasskeyParts {
  readonly from?: string
}

/**
 * The policy of a page: our style and the app's, our script, and forms that lead nowhere else (SEC-31). Browsers hold every
 * redirect after a form against `form-action`, those of the app's own handler, too. Where a form may lead to the app, only the
 * app knows where that ends, so that the directive is left out (C83). `scripts`: the digests of those that the page has besides
 * ours. A page with passkeys has one more, which reaches one address at most (C136). `ownImages`: the page has a logo besides that
 * of the app.
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
