import type { ConnectedApp } from "#domain/ConnectedApp"
import { scriptDigest } from "./Script.ts"
import { styleDigest } from "./Style.ts"

/** What of an app shows on its pages. */
type Look = Pick<ConnectedApp, "header" | "footer" | "externalCss">

/** From how many origins at most images may come by name; with more, from any. */
const MOST_ORIGINS = 8

/** As much of an address as a policy names: its origin, or the scheme of an app's own. */
const sourceOf = (address: string): string => {
  const { origin, protocol } = new URL(address)
  return origin === "null" ? protocol : origin
}

/** A file as a policy names it: no query, and nothing that would end what is said. */
const fileOf = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

/** Where the images of an app's own markup come from: `cleaned` writes each address in full, and only https. */
const imageSources = ({ header, footer }: Look): ReadonlyArray<string> => {
  const sources = `${header ?? ""}${footer ?? ""}`.matchAll(/<img[^>]* src="([^"]*)"/g)
  const origins = new Set([...sources].flatMap(([, url = ""]) => URL.parse(url)?.origin ?? []))
  return origins.size > MOST_ORIGINS ? ["https:"] : [...origins].filter((origin) => origin.startsWith("https:"))
}

/**
 * What a page may do: show this style and its app's, run this script, and send forms to where it came from; from there on
 * browsers may be sent to `next` alone (SEC-31).
 */
export const policyFor = (next: string | undefined, app?: Look): string => {
  const images = app === undefined ? [] : imageSources(app)
  const css = app?.externalCss ?? undefined
  return [
    "default-src 'none'",
    `style-src '${styleDigest}'${css === undefined ? "" : ` ${fileOf(css)}`}`,
    `script-src '${scriptDigest}'`,
    ...(images.length === 0 ? [] : [`img-src ${images.join(" ")}`]),
    next === undefined ? "form-action 'self'" : `form-action 'self' ${sourceOf(next)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")
}
