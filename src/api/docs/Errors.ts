/** What each error status means. */
export const errors: Readonly<
  Record<number, { readonly description: string; readonly code: string; readonly message: string }>
> = {
  400: {
    description: "The request can't be parsed, lacks its wrapper or names different realms.",
    code: "malformed_body",
    message: "The request body is not valid JSON."
  },
  401: {
    description: "The API key is missing or unknown; under /v1, also a user's password or code that is wrong.",
    code: "key_missing",
    message: "An API key is required. Send it as a Bearer token."
  },
  403: {
    description: "The API key's level is too low.",
    code: "level_too_low",
    message: "The API key's level is too low. This request requires write."
  },
  404: {
    description: "The resource does not exist in this realm.",
    code: "not_found",
    message: "User could not be found."
  },
  409: {
    description: "Conflicts with work that is in progress. Try again when it has finished.",
    code: "clearing_at_work",
    message: "This realm is being reset. Try again when that has finished."
  },
  413: {
    description: "The request body is larger than 256 KiB.",
    code: "body_too_large",
    message: "The request body is larger than 256 KiB."
  },
  415: {
    description: "The request body is neither JSON nor form-encoded.",
    code: "unsupported_media_type",
    message: "The request body must be JSON or form-encoded."
  },
  422: {
    description: "The request is not valid. Every problem is listed.",
    code: "blank",
    message: "Email can't be blank."
  },
  429: {
    description: "Too many requests, or too many wrong passwords or codes. Try again after `Retry-After` seconds.",
    code: "blocked",
    message: "Too many failed attempts. Try again in 15 minutes."
  },
  500: {
    description: "Something went wrong on the service's end.",
    code: "internal",
    message: "Something went wrong on our end. Include the request ID when you report it."
  },
  503: {
    description: "The service is overloaded or can't reach its database. Try again after `Retry-After` seconds.",
    code: "unavailable",
    message: "The service can't reach its database. Try again in a moment."
  }
}
