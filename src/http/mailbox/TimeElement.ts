import { DateTime } from "effect"
import { type Html, html } from "#platform/Html"
import type { Texts } from "./Texts.ts"

/** A `<time>` element in the reader's language. */
export const timeElement = ({ language }: Texts, at: DateTime.Utc): Html => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" })
  return html`<time datetime="${DateTime.formatIso(at)}">${format.format(at.epochMilliseconds)} UTC</time>`
}
