import { Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"

/** In groups of four characters, which are easier to type. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? ""

/** The QR code of an authenticator app that is being set up, as markup of our own making, and the key to type in its place. */
export const appSetup = ({ enrol: copy }: Texts, app: { readonly svg: string; readonly secret: string }): Html =>
  html`<div class="qr" role="img" aria-label="${copy.qr}">${Html.of(app.svg)}</div>
<p>${copy.type}</p>
<p><code class="key">${grouped(app.secret)}</code></p>`
