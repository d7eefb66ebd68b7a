import { Context, Data, DateTime } from "effect"
import { accountDeletionProblems } from "./AccountDeletion.ts"
import type { Custom } from "./Custom.ts"
import type { registrationModes } from "./clients/ClientRegistration.ts"
import { ownScopesProblems } from "./clients/OAuthScope.ts"
import { registrationProblems } from "./clients/RegistrationDefaults.ts"
import { ACCOUNT, type RealmId, SYSTEM } from "./Ids.ts"
import type { JwtAlgorithm } from "./JwtKey.ts"
import { limitNames, MAX_LIMIT, type RealmLimits } from "./Limit.ts"
import { locales } from "./Locale.ts"
import type { PendingReset } from "./RealmReset.ts"
import { type Problem, problem } from "./Rejected.ts"
import { type Role, rolesProblems } from "./Role.ts"
import { jwtMaxBytes } from "./TokenSize.ts"

export const realmStates = ["active", "inactive"] as const
export const jwtFields = ["custom", "memberships", "orgs"] as const

export const mfaModes = ["optional", "required", "off"] as const

/** The fields that a signup can ask for in addition to email and password (C157). */
export const signupFields = ["username", "names", "org_name"] as const

export type SignupField = (typeof signupFields)[number]

export type JwtField = (typeof jwtFields)[number]

export interface ResourceLink {
  readonly resource: "org" | "user"
  readonly title: string
  readonly url: string
}

/** The settings of a realm (`v1.realm`, C18). */
export interface RealmSettings {
  readonly name: string
  readonly state: (typeof realmStates)[number]
  readonly reference: string | null
  readonly custom: Custom
  readonly environment: "live" | "test"
  readonly usernameValidationHuman: "standard" | "email"
  readonly requireUniqueEmails: boolean
  readonly apiKeyPrefix: string | null
  readonly apiKeyPolicy: "encrypt" | "hash"
  readonly jwtAlgo: JwtAlgorithm
  readonly jwtFields: ReadonlyArray<JwtField>
  readonly jwtClaims: "v2" | "both"
  readonly sessionType: "managed" | "unmanaged"
  readonly sessionMinutes: number
  /** Who receives the token when reading a session: all callers, or only those with a key of level `write` or higher. */
  readonly sessionTokens: "all" | "write"
  readonly jwtMaxBytes: number
  /** Whether events list the unknown names that were used in failed logins (C278). */
  readonly recordsUnknownNames: boolean
  readonly apiKeyMinutes: number
  /** Which users must use a second factor to log in: those who have one, all users, or none. */
  readonly mfa: (typeof mfaModes)[number]
  /** How many days a user can trust a browser, where password logins then skip the second factor, or null (C310). */
  readonly trustedDevicesDays: number | null
  readonly orgMode: "single_user" | "multi_user"
  readonly signup: "open" | "invitation" | "closed"
  /**
   * The fields that signups ask for in addition to email and password, if the realm's users have them and the app allows
   * them (C157).
   */
  readonly signupFields: ReadonlyArray<SignupField>
  readonly emailVerification: "none" | "request" | "preverify"
  readonly defaultLocale: string
  readonly availableLocales: ReadonlyArray<string>
  readonly resourceLinks: ReadonlyArray<ResourceLink>
  /** The realm's own limits, which override the defaults (C45). */
  readonly limits: RealmLimits
  /** How many days events are retained, or null for as long as the deployment retains them. */
  readonly eventRetentionDays: number | null
  /** After how many days an account is deleted that its user asked to delete, or null if users can't delete it (C307). */
  readonly accountDeletionDays: number | null
  /** The domain that users' passkeys belong to, or null to use the login host of the realm's oldest active app (C129). */
  readonly passkeyRpId: string | null
  /** The scopes that the realm defines for OAuth clients in addition to the standard ones (C166). */
  readonly oauthScopes: ReadonlyArray<string>
  /** Returns whether OAuth clients may register themselves: never, only with an API key, or freely (C194). */
  readonly clientRegistration: (typeof registrationModes)[number]
  /** The realm's scopes that self-registered clients may request in addition to the standard ones (C196). */
  readonly registrationScopes: ReadonlyArray<string>
  /** The resource servers that self-registered clients may request tokens for (C196). */
  readonly registrationResources: ReadonlyArray<string>
  /** The roles of org members. If there are any, the page `/team` is enabled (C210). */
  readonly roles: ReadonlyArray<Role>
}

/** A tenant. Users, orgs and all other resources belong to a realm. */
export interface Realm extends RealmSettings {
  readonly id: RealmId
  readonly createdAt: DateTime.Utc
  /** The reset in progress, or null. */
  readonly pendingReset: PendingReset | null
}

/** The tenant of a call. Only Access, the hosted routes and the actors provide it. */
export class CurrentRealm extends Context.Service<CurrentRealm, Realm>()("sallyport/domain/CurrentRealm") {}

/** The default settings of a new realm. `jwtAlgo` and `jwtClaims` depend on the API version (C18, C29). */
export const defaultSettings = (version: "v1" | "v2"): Omit<RealmSettings, "name"> => ({
  state: "active",
  reference: null,
  custom: {},
  environment: "live",
  usernameValidationHuman: "standard",
  requireUniqueEmails: true,
  apiKeyPrefix: null,
  apiKeyPolicy: "hash",
  jwtAlgo: version === "v1" ? "hs256" : "rs256",
  jwtFields: [],
  jwtClaims: version === "v1" ? "both" : "v2",
  sessionType: "managed",
  sessionMinutes: 360,
  sessionTokens: "all",
  jwtMaxBytes: jwtMaxBytes.default,
  recordsUnknownNames: false,
  apiKeyMinutes: 0,
  mfa: "optional",
  trustedDevicesDays: null,
  orgMode: "multi_user",
  signup: "open",
  signupFields,
  emailVerification: "none",
  defaultLocale: "en",
  availableLocales: ["en"],
  resourceLinks: [],
  limits: {},
  eventRetentionDays: null,
  accountDeletionDays: null,
  passkeyRpId: null,
  oauthScopes: [],
  clientRegistration: "off",
  registrationScopes: [],
  registrationResources: [],
  roles: []
})

/** A placeholder for operations that need a realm but concern all realms. Its events belong to `ACCOUNT`. */
export const accountRealm: Realm = {
  ...defaultSettings("v2"),
  id: ACCOUNT,
  name: "",
  createdAt: DateTime.makeUnsafe(0),
  pendingReset: null
}

/** How long the sessions of operators last, in hours. */
const OPERATOR_SESSION_HOURS = 12

/**
 * The system realm, whose users are the operators (C302). Its settings are the same in every deployment, because nobody can
 * change them.
 */
export const systemRealm: Realm = {
  ...defaultSettings("v2"),
  id: SYSTEM,
  name: "Sallyport",
  usernameValidationHuman: "email",
  orgMode: "single_user",
  signup: "closed",
  signupFields: [],
  sessionMinutes: OPERATOR_SESSION_HOURS * 60,
  sessionTokens: "write",
  availableLocales: locales,
  createdAt: DateTime.makeUnsafe(0),
  pendingReset: null
}

/** The bounds of `trusted_devices_days` (C310). */
export const TRUSTED_DAYS = { least: 1, most: 90 } as const

/** The maximum `session_minutes` for each session type, and the maximum `api_key_minutes` (`v1.limit`). */
export const MAX_LIFETIME_MINUTES = { managed: 527_040, unmanaged: 1_052_640, apiKey: 1_052_640 } as const

const isLabel = (text: string): boolean => /^[a-z\d-]{1,63}$/.test(text) && !text.startsWith("-") && !text.endsWith("-")

/** Returns whether a string is a lower-case domain name, without a port. IP addresses are not domain names. */
const isDomainName = (text: string): boolean => {
  const labels = text.slice(0, 254).split(".")
  return text.length <= 253 && labels.every(isLabel) && /^[a-z]/.test(labels.at(-1) ?? "")
}

/** Validates the rules that involve several settings, and returns every broken rule. */
export const settingsProblems = (settings: RealmSettings): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const least = settings.sessionType === "unmanaged" ? 0 : 1
  const most = MAX_LIFETIME_MINUTES[settings.sessionType]
  if (settings.sessionMinutes < least || settings.sessionMinutes > most) {
    problems.push(problem("session_minutes", "range", { least, most }))
  }
  if (settings.jwtMaxBytes < jwtMaxBytes.least || settings.jwtMaxBytes > jwtMaxBytes.most) {
    problems.push(problem("jwt_max_bytes", "range", { least: jwtMaxBytes.least, most: jwtMaxBytes.most }))
  }
  if (settings.apiKeyMinutes < 0 || settings.apiKeyMinutes > MAX_LIFETIME_MINUTES.apiKey) {
    problems.push(problem("api_key_minutes", "range", { least: 0, most: MAX_LIFETIME_MINUTES.apiKey }))
  }
  problems.push(...accountDeletionProblems(settings.accountDeletionDays))
  const days = settings.trustedDevicesDays
  if (days !== null && (days < TRUSTED_DAYS.least || days > TRUSTED_DAYS.most)) {
    problems.push(problem("trusted_devices_days", "range", TRUSTED_DAYS))
  }
  if (settings.jwtFields.includes("orgs") && !settings.jwtFields.includes("memberships")) {
    problems.push(problem("jwt_fields", "orgs_need_memberships"))
  }
  for (const name of limitNames) {
    const most = settings.limits[name]
    if (most !== undefined && (most < 1 || most > MAX_LIMIT)) {
      problems.push(problem(`limits.${name}`, "range", { least: 1, most: MAX_LIMIT }))
    }
  }
  if (settings.passkeyRpId !== null && !isDomainName(settings.passkeyRpId)) {
    problems.push(problem("passkey_rp_id", "domain_form"))
  }
  problems.push(
    ...ownScopesProblems(settings.oauthScopes),
    ...registrationProblems(settings),
    ...rolesProblems(settings.roles)
  )
  if (!settings.availableLocales.includes(settings.defaultLocale)) {
    problems.push(problem("default_locale", "not_available", { allowed: settings.availableLocales.join(", ") }))
  }
  return problems
}

export const realmSorts = ["id", "name"] as const

export class RealmNotFound extends Data.TaggedError("RealmNotFound")<{ readonly id: string }> {}

/** The deployment has reached its maximum number of realms (C45). */
export class TooManyRealms extends Data.TaggedError("TooManyRealms")<{ readonly most: number }> {}
