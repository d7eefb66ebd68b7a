import { DateTime } from "effect"
import { type Html, html } from "#platform/Html"
import type { Words } from "./Words.ts"

/** A point in time, in the reader's language. */
export const moment = ({ language }: Words, at: DateTime.Utc): Html => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" })
  return html`<time datetime="${DateTime.formatIso(at)}">${format.format(at.epochMilliseconds)} UTC</time>`
}
