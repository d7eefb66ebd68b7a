import { Duration } from "effect"
import { limitNames, limits, type RealmLimitName } from "#domain/Limit"

/** The text about an error status in the reference, with an example and its specific headers. */
export interface ErrorText {
  /** The name of the response in the document. */
  readonly name: string
  readonly description: string
  readonly code: string
  readonly message: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })

const retryAfter = { "Retry-After": header("RetryAfter") }

/** A description of what each rate limit counts. */
const counted: Readonly<Record<RealmLimitName, string>> = {
  reads: "reads, for each key",
  writes: "writes, for each key",
  reads_total: "reads of all keys that are locked to the realm; the default is at least `reads`",
  writes_total: "writes of all keys that are locked to the realm; the default is at least `writes`",
  attempts: "attempts with a password or code, for each user as named in the request",
  email_codes: "wrong emailed codes that start a login, for each user as named in the request",
  hosted: "logins, sign-ups and other uses of credentials in hosted login, for each address (IPv6: /64)",
  hosted_sustained: "the same over a longer time",
  passkey_challenges: "passkey logins started by hosted login, for each address",
  oauth: "requests from OAuth clients to their endpoints, for each client and address",
  client_secrets: "failed client authentications among these requests",
  open_requests: "logins and logouts started by browsers or public clients at the OAuth endpoints, for each address",
  open_requests_total: "the same, in the entire realm",
  user_codes: "wrong device codes on hosted pages, for each user and for each address",
  provider_tests: "auth provider tests, for each realm",
  domain_checks: "checks of domains, for each realm",
  registrations: "OAuth clients that register themselves, for each address",
  mails: "emails, for each recipient",
  mails_sustained: "the same over a longer time",
  visitor_mails: "emails requested without an API key, in the realm",
  visitor_mails_sustained: "the same over a longer time",
  invitations: "invitations, for each org",
  imports: "imports, in the realm",
  exports: "exports, in the realm"
}

const limitText = (name: RealmLimitName) => {
  const { most, within } = limits[name]
  return `- \`${name}\`: ${most.toLocaleString("en")} in ${Duration.toSeconds(within).toLocaleString("en")} s — ${counted[name]}`
}

const tooManyRequests = `Too many requests. There are two kinds; in both cases, try again after \`Retry-After\` seconds.

\`too_often\`: a limit of the realm was exceeded. \`params\` contain its name (\`limit\`), the maximum (\`most\`) within a number of seconds (\`within\`), and
\`retry_after\`; the \`RateLimit\` headers contain the same values. The defaults, which the realm's \`limits\` override:

${limitNames.map(limitText).join("\n")}

\`blocked\`: the user is blocked after ten wrong passwords in a row, or ten wrong codes within 15 minutes, for up to 15 minutes. Correct ones are
rejected too until then; a new password lifts the block on passwords. \`params\` contain the remaining \`minutes\`.`

/** The text about each error status. */
export const errors: Readonly<Record<number, ErrorText>> = {
  400: {
    name: "BadRequest",
    description:
      "The request can't be parsed, lacks its wrapper or names different realms. The problems name the members that belong inside the wrapper.",
    code: "malformed_body",
    message: "The request body is not valid JSON."
  },
  401: {
    name: "Unauthorized",
    description:
      "The API key is missing or unknown. Under /v1, this is also the response to a user's wrong password or code.",
    code: "key_missing",
    message: "An API key is required. Send it as a Bearer token.",
    headers: { "WWW-Authenticate": header("Authenticate") }
  },
  403: {
    name: "Forbidden",
    description: "The API key's level is too low.",
    code: "level_too_low",
    message: "The API key's level is too low. This request requires write."
  },
  404: {
    name: "NotFound",
    description: "The resource does not exist in this realm.",
    code: "not_found",
    message: "User could not be found."
  },
  409: {
    name: "Conflict",
    description: "The request conflicts with an operation in progress. Try again when that has finished.",
    code: "clearing_at_work",
    message: "This realm is being reset. Try again when that has finished."
  },
  413: {
    name: "TooLarge",
    description: "The request body is larger than 256 KiB.",
    code: "body_too_large",
    message: "The request body is larger than 256 KiB."
  },
  415: {
    name: "UnsupportedMediaType",
    description:
      "The request body is neither JSON nor form-encoded, has no `Content-Type`, is compressed, or has a `charset` other than UTF-8.",
    code: "unsupported_media_type",
    message: "The request body must be JSON or form-encoded."
  },
  422: {
    name: "Invalid",
    description: "The request is not valid. The response lists all problems.",
    code: "blank",
    message: "Email can't be blank."
  },
  429: {
    name: "TooManyRequests",
    description: tooManyRequests,
    code: "too_often",
    message: "Too many reads with this API key: at most 1000 in 10 seconds. Try again in 4 seconds.",
    headers: {
      ...retryAfter,
      RateLimit: header("RateLimit"),
      "RateLimit-Policy": header("RateLimitPolicy")
    }
  },
  500: {
    name: "Fault",
    description: "Something went wrong on the service's end.",
    code: "internal",
    message: "Something went wrong on our end. Include the request ID when you report it."
  },
  503: {
    name: "Unavailable",
    description:
      "The service is overloaded, can't reach its database, or lacks one of its encryption keys. Try again after `Retry-After` seconds.",
    code: "unavailable",
    message: "The service can't reach its database. Try again in a moment.",
    headers: retryAfter
  }
}
