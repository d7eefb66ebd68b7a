/** Nouns for which event types still use the `/v1` name. */
const ofV1: Readonly<Record<string, string>> = { client_app: "login_policy", hook: "app_hook" }

/**
 * Replaces the noun of an event type, or of the beginning of one, by the noun used in event types: `client_app.` becomes
 * `login_policy.`.
 */
export const withEventNoun = (name: string): string => {
  const [noun = "", ...rest] = name.split(".")
  return [Object.hasOwn(ofV1, noun) ? ofV1[noun] : noun, ...rest].join(".")
}
