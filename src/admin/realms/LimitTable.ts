import { defaultLimits } from "#domain/DefaultLimits"

export type LimitName = keyof typeof defaultLimits

type Group = "management" | "login" | "oauth" | "mails" | "bulk"

/** The group of each limit, in display order. */
const groups: Readonly<Record<LimitName, Group>> = {
  reads: "management",
  writes: "management",
  reads_total: "management",
  writes_total: "management",
  provider_tests: "management",
  domain_checks: "management",
  attempts: "login",
  email_codes: "login",
  hosted: "login",
  hosted_sustained: "login",
  passkey_challenges: "login",
  oauth: "oauth",
  client_secrets: "oauth",
  open_requests: "oauth",
  open_requests_total: "oauth",
  user_codes: "oauth",
  registrations: "oauth",
  mails: "mails",
  mails_sustained: "mails",
  visitor_mails: "mails",
  visitor_mails_sustained: "mails",
  invitations: "mails",
  imports: "bulk",
  exports: "bulk"
}

const names = Object.keys(groups).filter((name): name is LimitName => Object.hasOwn(groups, name))

/** The rate limits of a realm and their defaults, by group. */
export const limitGroups = (["management", "login", "oauth", "mails", "bulk"] as const).map((group) => ({
  group,
  limits: names.filter((name) => groups[name] === group).map((name) => ({ name, ...defaultLimits[name] }))
}))
