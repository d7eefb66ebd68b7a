/** Nouns for which event types still use the `/v1` name. */
const v1Nouns: Readonly<Record<string, string>> = { client_app: "login_policy", hook: "app_hook" }

/**
 * Replaces the noun of an event type, or of the beginning of one, by the noun used in event types: `client_app.` becomes
 * `login_policy.`.
 */
export const withEventNoun = (name: string): string => {
  const [noun = "", ...rest] = name.split(".")
  return [Object.hasOwn(v1Nouns, noun) ? v1Nouns[noun] : noun, ...rest].join(".")
}
