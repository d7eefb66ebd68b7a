import type { Deployment } from "./Deployment.ts"

const text = { type: "string" } as const

const id = { $ref: "#/components/headers/RequestId" }

/** The headers of every response. */
export const everyResponse = { "X-Request-Id": id }

/** The headers of a response, by their names in the document. */
export const headers = {
  RequestId: {
    description:
      "The ID of the request, for support: the caller's `X-Request-Id` if it consists of 8 to 128 letters, digits or `_ . -`, otherwise a generated ID.",
    schema: text,
    example: "req_01m7y8xyppa4mjba95k6p76tdq"
  },
  RetryAfter: {
    description: "The seconds to wait before trying again.",
    schema: { type: "integer", minimum: 1 },
    example: 10
  },
  RateLimit: {
    description:
      "The exceeded limit, with the remaining requests (`r`) and the seconds until it resets (`t`). Only with the code `too_often`.",
    schema: text,
    example: '"reads";r=0;t=10'
  },
  RateLimitPolicy: {
    description:
      "The exceeded limit: the number of requests (`q`) per time window in seconds (`w`). Only with the code `too_often`.",
    schema: text,
    example: '"reads";q=1000;w=10'
  },
  Authenticate: {
    description: "The authentication scheme: always `Bearer`.",
    schema: text,
    example: "Bearer"
  },
  Replayed: {
    description:
      "`true` if this is the stored response of an earlier request with the same `Idempotency-Key`; otherwise missing.",
    schema: text
  },
  Link: {
    description:
      "If a list has more results: the query of the next page, relative to the request's URL. Its `after` is an ID, or a cursor if the list is not sorted by ID.",
    schema: text,
    example: '<?sort=name&after=org_01m7y8xyppa4mjba95k6p76tdq.name.YWNtZQ>; rel="next"'
  },
  Ignored: {
    description:
      "The ignored members of the body, as paths, and under `/v1` the ignored query parameters, separated by commas and percent-encoded; missing if there are none. `Prefer: handling=strict` turns them into errors.",
    schema: text,
    example: "user.frist_name"
  }
} as const

/** The headers of a request, by their names in the document. */
export const headerParameters = ({ headers: { realm } }: Deployment) => ({
  Realm: {
    name: realm,
    in: "header",
    required: false,
    description:
      "The ID of the request's realm, for a key that is not locked to a realm. If the query or body names a realm, it must be the same.",
    schema: text
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Any 1 to 255 visible ASCII characters. Repeating a request with the same key and body within 24 hours returns the first response. A repeat returns 409 while the first request is still being processed, and 422 if its body is different.",
    schema: { type: "string", minLength: 1, maxLength: 255 }
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    description:
      "`handling=strict` rejects members and query parameters that would otherwise be ignored and listed in a response header. Default: not strict.",
    schema: text,
    example: "handling=strict"
  },
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    required: false,
    description:
      "The preferred languages of messages. `en` and `es` are available. Default: the realm's `default_locale`, or else English.",
    schema: text
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "The caller's own ID for the request, which is repeated in the response. Default: a generated ID.",
    schema: { type: "string", pattern: "^[\\w.-]{8,128}$" }
  }
})
