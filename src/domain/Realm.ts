import { Context, Data, type DateTime } from "effect"
import type { Custom } from "./Custom.ts"
import type { RealmId } from "./Ids.ts"
import type { JwtAlgorithm } from "./JwtKey.ts"
import { limitNames, MOST, type RealmLimits } from "./Limit.ts"
import type { Clearing } from "./RealmReset.ts"
import { type Problem, problem } from "./Rejected.ts"

export const realmStates = ["active", "inactive"] as const
export const jwtFields = ["custom", "memberships", "orgs"] as const

export type JwtField = (typeof jwtFields)[number]

export interface ResourceLink {
  readonly resource: "org" | "user"
  readonly title: string
  readonly url: string
}

/** The settings of a realm (api-v1 section 2, decision 18). */
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
  /** Whose reads of a session give a token: everyone's, or those of keys from level `write`. */
  readonly sessionTokens: "all" | "write"
  readonly apiKeyMinutes: number
  readonly orgMode: "single_user" | "multi_user"
  readonly signup: "open" | "invitation" | "closed"
  readonly emailVerification: "none" | "request" | "preverify"
  readonly defaultLocale: string
  readonly availableLocales: ReadonlyArray<string>
  readonly resourceLinks: ReadonlyArray<ResourceLink>
  /** What it has in place of the default limits (decision 45). */
  readonly limits: RealmLimits
  /** For how many days it keeps its events; null: for as long as the deployment does. */
  readonly eventRetentionDays: number | null
}

/** The top-level container: users, orgs and all the rest belong to one realm. */
export interface Realm extends RealmSettings {
  readonly id: RealmId
  readonly createdAt: DateTime.Utc
  /** A reset that is at work. */
  readonly clearing: Clearing | null
}

/** The tenant of a call. Provided by Access, the hosted routes and the actors, and nowhere else. */
export class CurrentRealm extends Context.Service<CurrentRealm, Realm>()("sallyport/domain/CurrentRealm") {}

/** The settings of a new realm that the caller leaves out; `jwtAlgo` and `jwtClaims` depend on the version (decisions 18, 29). */
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
  apiKeyMinutes: 0,
  orgMode: "multi_user",
  signup: "open",
  emailVerification: "none",
  defaultLocale: "en",
  availableLocales: ["en"],
  resourceLinks: [],
  limits: {},
  eventRetentionDays: null
})

/** The longest `session_minutes` by session type, and the longest `api_key_minutes` (api-v1 section 8). */
export const MAX_MINUTES = { managed: 527_040, unmanaged: 1_052_640, apiKey: 1_052_640 } as const

/** The rules that span several settings: every broken one. */
export const settingsProblems = (settings: RealmSettings): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const least = settings.sessionType === "unmanaged" ? 0 : 1
  const most = MAX_MINUTES[settings.sessionType]
  if (settings.sessionMinutes < least || settings.sessionMinutes > most) {
    problems.push(problem("session_minutes", "range", { least, most }))
  }
  if (settings.apiKeyMinutes < 0 || settings.apiKeyMinutes > MAX_MINUTES.apiKey) {
    problems.push(problem("api_key_minutes", "range", { least: 0, most: MAX_MINUTES.apiKey }))
  }
  if (settings.jwtFields.includes("orgs") && !settings.jwtFields.includes("memberships")) {
    problems.push(problem("jwt_fields", "orgs_need_memberships"))
  }
  for (const name of limitNames) {
    const most = settings.limits[name]
    if (most !== undefined && (most < 1 || most > MOST)) {
      problems.push(problem(`limits.${name}`, "range", { least: 1, most: MOST }))
    }
  }
  if (!settings.availableLocales.includes(settings.defaultLocale)) {
    problems.push(problem("default_locale", "not_available"))
  }
  return problems
}

export const realmSorts = ["id", "name"] as const

export class RealmNotFound extends Data.TaggedError("RealmNotFound")<{ readonly id: string }> {}

/** The deployment holds as many realms as it may (decision 45). */
export class TooManyRealms extends Data.TaggedError("TooManyRealms")<{ readonly most: number }> {}
