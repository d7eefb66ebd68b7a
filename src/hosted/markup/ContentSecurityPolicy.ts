import type { ConnectedApp } from "#domain/ConnectedApp"
import { scriptDigest } from "./Script.ts"
import { styleDigest } from "./Style.ts"

/** The parts of an app's own design that its pages show. */
type Branding = Pick<ConnectedApp, "header" | "footer" | "externalCss">

/** How many origins of images a policy lists. With more, images may come from anywhere. */
const MOST_ORIGINS = 8

/** The source expression of a redirect target: its origin, or the custom scheme of an app. */
const sourceOf = (url: string): string => {
  const { origin, protocol } = new URL(url)
  return origin === "null" ? protocol : origin
}

/** The source expression of one file: without query, and with what would end a directive escaped. */
const fileSourceOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

/** The sources of the images in an app's markup. The sanitizer has written each URL in full, and lets only https pass. */
const imageSources = ({ header, footer }: Branding): ReadonlyArray<string> => {
  const sources = `${header ?? ""}${footer ?? ""}`.matchAll(/<img[^>]* src="([^"]*)"/g)
  const origins = new Set([...sources].flatMap(([, url = ""]) => URL.parse(url)?.origin ?? []))
  return origins.size > MOST_ORIGINS ? ["https:"] : [...origins].filter((origin) => origin.startsWith("https:"))
}

/**
 * The policy of a page: our style and the app's, our script, and forms that post back to where they came from. After that,
 * browsers may be redirected to `redirectTarget` alone (SEC-31).
 */
export const contentSecurityPolicy = (redirectTarget: string | undefined, app?: Branding): string => {
  const images = app === undefined ? [] : imageSources(app)
  const css = app?.externalCss ?? undefined
  return [
    "default-src 'none'",
    `style-src '${styleDigest}'${css === undefined ? "" : ` ${fileSourceOf(css)}`}`,
    `script-src '${scriptDigest}'`,
    ...(images.length === 0 ? [] : [`img-src ${images.join(" ")}`]),
    redirectTarget === undefined ? "form-action 'self'" : `form-action 'self' ${sourceOf(redirectTarget)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")
}
