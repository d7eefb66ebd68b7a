import { type Html, html } from "#platform/Html"
import type { FormValues } from "../Form.ts"
import type { Texts } from "../texts/en.ts"

const NAME = "trust"

/** The offer to trust the browser for a number of days (C310). */
export interface TrustOffer {
  readonly days: number
  /** Whether the box is ticked, as in the form that was sent before. */
  readonly isTicked: boolean
}

/** Returns whether the user ticked the box. */
export const trustsIn = (form: FormValues): boolean => form(NAME) === "1"

/** The checkbox that trusts the browser. */
export const trustField = ({ security: copy }: Texts, { days, isTicked }: TrustOffer): Html =>
  html`<div class="field tick"><input type="checkbox" id="${NAME}" name="${NAME}" value="1" aria-describedby="${NAME}-hint"${isTicked && html` checked`}>
<div><label for="${NAME}">${copy.trust(days)}</label>
<p class="hint" id="${NAME}-hint">${copy.trustHint}</p></div></div>
`
