import { createHash } from "node:crypto"
import { staticText } from "../docs/StaticText.ts"

/** Displays a document sent by the surrounding page. The document's scripts don't run, and its links and forms do nothing. */
const script = `
const stop = (event) => event.preventDefault()
for (const kind of ["click", "auxclick", "submit", "dragstart"]) addEventListener(kind, stop, true)
addEventListener("message", ({ source, data }) => {
  if (source !== parent || typeof data !== "string") return
  const next = new DOMParser().parseFromString(data, "text/html")
  for (const one of next.querySelectorAll("script, base, meta[http-equiv]")) one.remove()
  for (const one of next.querySelectorAll("[autofocus]")) one.removeAttribute("autofocus")
  for (const one of next.querySelectorAll("*"))
    for (const { name } of [...one.attributes]) if (name.startsWith("on")) one.removeAttribute(name)
  document.documentElement.lang = next.documentElement.lang
  document.head.replaceWith(next.head)
  document.body.replaceWith(next.body)
})
parent.postMessage("ready", "*")
`

const digest = createHash("sha256").update(script).digest("base64")

/** Where documents may load resources from, besides their own text. Each is empty or begins with a space. */
interface Sources {
  readonly styles: string
  readonly images: string
  readonly fonts: string
}

/** The sources of pages, whose apps may have style sheets of their own. */
const pageSources: Sources = {
  styles: " https: http://localhost:* http://127.0.0.1:*",
  images: " https:",
  fonts: " https:"
}

/** The sources of emails. Remote resources would tell the sender who reads an email. `logos`: the origins of all apps. */
const mailSources = (logos: string): Sources => ({ styles: "", images: ` ${logos}`, fonts: "" })

/** The frame has no origin, runs only this script, and can only be framed by pages of this origin (SEC-215). */
const policyOf = ({ styles, images, fonts }: Sources): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${digest}'`,
    `style-src 'unsafe-inline'${styles}`,
    `img-src data:${images}`,
    `font-src data:${fonts}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts"
  ].join("; ")

const document = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Preview</title></head>
<body><script>${script}</script></body>
</html>
`

const frameWith = (sources: Sources) =>
  staticText(document, "text/html; charset=utf-8", {
    "cache-control": "no-store",
    "content-security-policy": policyOf(sources)
  })

/** The frame in which the console shows the pages and emails of apps. */
export const previewFrame = frameWith(pageSources)

/** The frame in which the console shows emails from the mailbox. `logos`: the origins of all apps. */
export const mailFrame = (logos: string) => frameWith(mailSources(logos))
