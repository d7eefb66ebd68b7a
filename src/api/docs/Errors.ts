/** What each error status means. */
export const errors: Readonly<
  Record<number, { readonly description: string; readonly code: string; readonly message: string }>
> = {
  400: {
    description: "The request can't be read, lacks its wrapper, or contradicts itself about the realm.",
    code: "malformed_body",
    message: "The request body is not valid JSON."
  },
  401: {
    description: "No API key, or none that the service knows; under /v1 also a wrong password or code of a user.",
    code: "key_missing",
    message: "An API key is needed: send it as a Bearer token."
  },
  403: {
    description: "The API key's level is too low.",
    code: "level_too_low",
    message: "The API key's level is too low: write is needed."
  },
  404: { description: "No such thing in this realm.", code: "not_found", message: "User could not be found." },
  409: {
    description: "Work that is going on stands against it: try again when it is done.",
    code: "clearing_at_work",
    message: "A reset of this realm is at work. Try again when it is done."
  },
  413: {
    description: "The body is larger than 256 KiB.",
    code: "body_too_large",
    message: "The request body is larger than 256 KiB."
  },
  415: {
    description: "The body is neither JSON nor form-encoded.",
    code: "unsupported_media_type",
    message: "The request body must be JSON or form-encoded."
  },
  422: {
    description: "What was asked breaks a rule: every broken rule at once.",
    code: "blank",
    message: "Email can't be blank."
  },
  429: {
    description: "Too many wrong passwords or codes: try again after `Retry-After` seconds.",
    code: "blocked",
    message: "Too many failed attempts. Try again in 15 minutes."
  },
  500: {
    description: "A fault of the service.",
    code: "internal",
    message: "Something went wrong on our side. The request id helps us to find out what."
  },
  503: {
    description: "The service sheds load or can't reach its database: try again after `Retry-After` seconds.",
    code: "unavailable",
    message: "The service can't reach its database. Try again in a moment."
  }
}
