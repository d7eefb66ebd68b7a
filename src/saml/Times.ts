const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?Z$/

/**
 * Parses an instant as SAML 2.0 requires it (core, 1.3.3): an `xs:dateTime` in UTC. Returns Unix milliseconds, or undefined for other
 * forms and for days that don't exist.
 */
export const parseInstant = (text: string): number | undefined => {
  const [, seconds, fraction = ""] = INSTANT.exec(text) ?? []
  if (seconds === undefined) return undefined
  const time = Date.parse(`${seconds}Z`)
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(seconds)
  return exists ? time + Number(fraction.padEnd(3, "0").slice(0, 3)) : undefined
}

/** Formats an instant for a SAML message, in seconds. */
export const formatInstant = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`
