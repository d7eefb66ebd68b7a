/** The nouns that event types still spell as in `/v1`. */
const v1Nouns: Readonly<Record<string, string>> = { client_app: "login_policy", hook: "app_hook" }

/**
 * Replaces the first word of a full or partial event type by the noun that event types use: `client_app.` becomes
 * `login_policy.`.
 */
export const withEventNoun = (name: string): string => {
  const [noun = "", ...rest] = name.split(".")
  return [Object.hasOwn(v1Nouns, noun) ? v1Nouns[noun] : noun, ...rest].join(".")
}
