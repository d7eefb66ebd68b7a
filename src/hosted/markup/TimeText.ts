import { DateTime } from "effect"
import { type Html, html } from "#platform/Html"

/** A time in UTC. The page's script replaces it by the time in the reader's time zone, and keeps UTC as the tooltip. */
const timeElement = (language: string, at: DateTime.Utc, precision: "date" | "minute"): Html => {
  const clock = precision === "date" ? {} : ({ timeStyle: "short" } as const)
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", ...clock, timeZone: "UTC" })
  const text = format.format(at.epochMilliseconds)
  return html`<time datetime="${DateTime.formatIso(at)}" data-time="${precision}">${text}${precision === "minute" && " UTC"}</time>`
}

/** A date and time in words. */
export const timeText = (language: string, at: DateTime.Utc): Html => timeElement(language, at, "minute")

/** The date of a time, in words. */
export const dateText = (language: string, at: DateTime.Utc): Html => timeElement(language, at, "date")
