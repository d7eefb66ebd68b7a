import type { Limits } from "#client/generated/types/Limits"

export type LimitName = keyof Limits

interface Limit {
  readonly name: LimitName
  /** The length of its window, in seconds. */
  readonly seconds: number
  /** The default limit. */
  readonly otherwise: number
}

interface Group {
  readonly group: "management" | "login" | "oauth" | "mails" | "bulk"
  readonly limits: ReadonlyArray<Limit>
}

const limit = (name: LimitName, otherwise: number, seconds: number): Limit => ({ name, otherwise, seconds })

/** The rate limits of a realm, as described by the API. */
export const limitGroups: ReadonlyArray<Group> = [
  {
    group: "management",
    limits: [
      limit("reads", 1000, 10),
      limit("writes", 500, 10),
      limit("reads_total", 4000, 10),
      limit("writes_total", 2000, 10),
      limit("provider_tests", 20, 60)
    ]
  },
  {
    group: "login",
    limits: [
      limit("attempts", 10, 60),
      limit("email_codes", 50, 86_400),
      limit("hosted", 5, 10),
      limit("hosted_sustained", 30, 300),
      limit("passkey_challenges", 60, 60)
    ]
  },
  {
    group: "oauth",
    limits: [
      limit("oauth", 1000, 10),
      limit("client_secrets", 20, 60),
      limit("open_requests", 300, 300),
      limit("open_requests_total", 50_000, 300),
      limit("user_codes", 10, 600),
      limit("registrations", 20, 3600)
    ]
  },
  {
    group: "mails",
    limits: [
      limit("mails", 3, 60),
      limit("mails_sustained", 10, 3600),
      limit("visitor_mails", 200, 600),
      limit("visitor_mails_sustained", 1000, 3600),
      limit("invitations", 100, 3600)
    ]
  },
  { group: "bulk", limits: [limit("imports", 100, 3600), limit("exports", 100, 3600)] }
]
