import { eventTypeTexts } from "../events/Types.ts"
import { en } from "../messages/en.ts"
import { checks } from "../messages/enChecks.ts"
import { domainResults } from "../messages/enDomains.ts"

/** The codes of success messages. */
const successes = ["reset_mail_sent", "password_changed", "verification_mail_sent", "signup_mail_sent"]

// The results of a login method's test, and of a check of a domain, are not errors.
const results = { ...checks, ...domainResults }

const errorCodes = Object.entries(en.sentences)
  .filter(([code]) => !successes.includes(code) && !Object.hasOwn(results, code))
  .map(([code, text]) => [code, text.replaceAll(/[[\]]/g, "")] as const)

/** An enumeration with a description of each value. */
const enumeration = (description: string, texts: Readonly<Record<string, string>>) => ({
  type: "string",
  description,
  enum: Object.keys(texts),
  "x-enumDescriptions": texts
})

/** Schemas that other schemas refer to by name, and that no endpoint's schema contains. */
export const sharedSchemas = {
  Custom: {
    type: "object",
    description:
      "Your own attributes, at most 16 KiB of JSON. Keys are letters, digits and underscores, and are case-sensitive; values are text, numbers, booleans, null, or lists of these types. They can't be searched.",
    propertyNames: { pattern: "^[A-Za-z0-9_]+$" },
    additionalProperties: { type: ["string", "number", "boolean", "null", "array"] }
  },
  EventType: enumeration(
    "The type of an event. Later releases may add types. Every event also has its ID, type, time, `realm_id` and `request`.",
    eventTypeTexts
  ),
  ErrorCode: enumeration(
    "The problem's code, for use by programs. Each code is listed with its English message, where `{…}` is replaced by a value in `params`. Later releases may add codes.",
    Object.fromEntries(errorCodes)
  )
}
