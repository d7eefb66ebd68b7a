/** The nouns of which event types keep the name of `/v1`. */
const ofV1: Readonly<Record<string, string>> = { client_app: "login_policy", hook: "app_hook" }

/** An event type, or how one begins, with the noun that event types have: `client_app.` is `login_policy.` there. */
export const withEventNoun = (name: string): string => {
  const [noun = "", ...rest] = name.split(".")
  return [Object.hasOwn(ofV1, noun) ? ofV1[noun] : noun, ...rest].join(".")
}
