import type { Operation } from "./Operations.ts"

/**
 * The type of a response that is narrower than its schema. The schemas also cover callers of a lower level, who don't
 * get the secrets.
 */
interface Narrowed {
  /** Returns the type, given the type of the schema. */
  readonly answer: (described: string) => string
  /** The type that the parameters must also have. Without it, every response has the narrower type. */
  readonly parameters?: string
}

const withMember = (name: string) => ({ answer: (described: string) => `${described} & { readonly ${name}: string }` })

const webhook = { answer: (described: string) => `WebhookWithSecret<${described}>` }

const narrowed: Readonly<Record<string, Narrowed>> = {
  "api_keys.create": withMember("key"),
  "sessions.create": withMember("token"),
  "hooks.create": { ...webhook, parameters: "WebhookType" },
  "hooks.rotate_secret": webhook
}

/** Returns the narrower type of an operation's response, if there is one. */
export const narrowedAnswer = ({ resource, name }: Operation): Narrowed | undefined => narrowed[`${resource}.${name}`]
