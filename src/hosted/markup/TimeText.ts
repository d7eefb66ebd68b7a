import { DateTime } from "effect"
import { type Html, html } from "#platform/Html"

/** A time in words. It is in UTC, because the visitor's time zone is unknown. */
export const timeText = (language: string, at: DateTime.Utc): Html => {
  const text = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(
    at.epochMilliseconds
  )
  return html`<time datetime="${DateTime.formatIso(at)}">${text} UTC</time>`
}

/** The date of a time, in UTC. */
export const dateText = (language: string, at: DateTime.Utc): Html => {
  const text = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(at.epochMilliseconds)
  return html`<time datetime="${DateTime.formatIsoDateUtc(at)}">${text}</time>`
}
