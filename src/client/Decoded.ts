/** Custom attributes stored by the app. */
export type Custom = Readonly<Record<string, unknown>>

/** An org in a token. Members are missing if the token doesn't contain them. */
export interface DecodedOrg {
  readonly id: string
  readonly object: "org"
  readonly realm_id: string
  readonly name?: string
  readonly reference?: string | null
  readonly custom?: Custom
}

/** A membership in a token. `id` is missing in tokens with only version 1 claims. */
export interface DecodedMembership {
  readonly id?: string
  readonly object: "membership"
  readonly org_id: string | null
  readonly user_id: string
  readonly permissions: ReadonlyArray<string>
  /** Whether the token is for this org, because it was chosen or requested. Otherwise missing. */
  readonly selected?: true
  readonly custom?: Custom
  readonly org?: DecodedOrg
}

/**
 * The user in a token. `email_verification` is null if the email is not verified. Tokens don't contain further details
 * about it.
 */
export interface DecodedUser {
  readonly id: string
  readonly object: "user"
  readonly realm_id: string
  readonly username?: string | null
  readonly email?: string | null
  readonly email_verification?: "verified" | null
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly name?: string
  readonly reference?: string | null
  readonly custom?: Custom
  readonly memberships?: ReadonlyArray<DecodedMembership>
}

/** The session in a token, with the members that the token contains (`v2.decode`). */
export interface Decoded {
  readonly id: string
  readonly object: "session"
  /** When the token was issued, in Unix seconds. */
  readonly created_at: number
  /** In Unix seconds. Null if the token never expires. */
  readonly expires_at: number | null
  readonly token: string
  /** When the user logged in or last reauthenticated, in Unix seconds. Missing if the session was started via the API. */
  readonly auth_time?: number
  /**
   * The methods with which the user logged in, as RFC 8176 values such as `["pwd", "otp", "mfa"]`. Missing with
   * `auth_time`.
   */
  readonly amr?: ReadonlyArray<string>
  /** `aal1` for one factor, `aal2` for two. Missing with `auth_time`. */
  readonly acr?: string
  readonly user_id: string
  readonly user: DecodedUser
}

type Claims = Readonly<Record<string, unknown>>

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const maybeText = (value: unknown): string | null | undefined => (value === null ? null : text(value))

const members = (value: unknown): Custom | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined

const items = (value: unknown): ReadonlyArray<Claims> | undefined =>
  Array.isArray(value) ? value.map(members).filter((one) => one !== undefined) : undefined

const texts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one: unknown) => typeof one === "string") : []

/** The claims of one membership, from version 1 or version 2. */
interface OrgClaims {
  readonly id: unknown
  readonly orgId: unknown
  readonly permissions: unknown
  readonly selected: unknown
  readonly custom: unknown
  readonly name: unknown
  readonly reference: unknown
  readonly orgCustom: unknown
}

/**
 * Returns the memberships from the version 2 claims, supplemented by version 1 claims if the token has both. Otherwise
 * returns those from the version 1 claims.
 */
const orgClaims = (claims: Claims): ReadonlyArray<OrgClaims> | undefined => {
  const first = items(claims["m"])
  const second = items(claims["orgs"])
  if (second === undefined) {
    return first?.map((one) => ({
      id: undefined,
      orgId: one["oid"],
      permissions: one["p"],
      selected: undefined,
      custom: one["cs"],
      name: one["o"],
      reference: undefined,
      orgCustom: one["ocs"]
    }))
  }
  return second.map((one) => ({
    id: one["mid"],
    orgId: one["oid"],
    permissions: one["perm"],
    selected: one["selected"],
    custom: first?.find(({ oid }) => oid === one["oid"])?.["cs"],
    name: one["name"],
    reference: one["ref"],
    orgCustom: one["cs"]
  }))
}

const orgOf = (one: OrgClaims, id: string, realm_id: string): DecodedOrg => {
  const [name, reference, custom] = [text(one.name), maybeText(one.reference), members(one.orgCustom)]
  return {
    id,
    object: "org",
    realm_id,
    ...(name === undefined ? {} : { name }),
    ...(reference === undefined ? {} : { reference }),
    ...(custom === undefined ? {} : { custom })
  }
}

const membershipOf = (one: OrgClaims, user_id: string, realm_id: string): DecodedMembership => {
  const [id, org_id, custom] = [text(one.id), text(one.orgId) ?? null, members(one.custom)]
  return {
    ...(id === undefined ? {} : { id }),
    object: "membership",
    org_id,
    user_id,
    permissions: texts(one.permissions),
    ...(one.selected === true ? { selected: true } : {}),
    ...(custom === undefined ? {} : { custom }),
    ...(org_id === null ? {} : { org: orgOf(one, org_id, realm_id) })
  }
}

/** Returns a claim by its version 2 name, or else by its version 1 name. */
const versionedClaim = (claims: Claims, second: string, first: string): unknown =>
  claims[claims[second] === undefined ? first : second]

const userOf = (claims: Claims, id: string, realm_id: string): DecodedUser => {
  const [username, email] = [maybeText(versionedClaim(claims, "preferred_username", "un")), maybeText(claims["email"])]
  const first_name = maybeText(versionedClaim(claims, "given_name", "fn"))
  const last_name = maybeText(versionedClaim(claims, "family_name", "ln"))
  const [name, reference] = [text(versionedClaim(claims, "name", "n")), maybeText(claims["ref"])]
  const [verified, custom] = [claims["email_verified"], members(claims["cs"])]
  const memberships = orgClaims(claims)?.map((one) => membershipOf(one, id, realm_id))
  return {
    id,
    object: "user",
    realm_id,
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    ...(typeof verified === "boolean" ? { email_verification: verified ? "verified" : null } : {}),
    ...(first_name === undefined ? {} : { first_name }),
    ...(last_name === undefined ? {} : { last_name }),
    ...(name === undefined ? {} : { name }),
    ...(reference === undefined ? {} : { reference }),
    ...(custom === undefined ? {} : { custom }),
    ...(memberships === undefined ? {} : { memberships })
  }
}

/** The user's login, if the token describes it. */
const loginOf = ({ auth_time, amr, acr }: Claims) => ({
  ...(typeof auth_time === "number" ? { auth_time } : {}),
  ...(Array.isArray(amr) ? { amr: texts(amr) } : {}),
  ...(typeof acr === "string" ? { acr } : {})
})

/**
 * Returns the realm of a login token. Tokens of OAuth clients also have `sid`, `sub` and `aud`, so `aud` is a realm
 * only if the other version 1 claims are present (SEC-153).
 */
const realmOf = (claims: Claims): string | undefined => {
  const isFirst = claims["uid"] !== undefined && claims["tk"] !== undefined
  return text(claims["rid"]) ?? (isFirst ? text(claims["aud"]) : undefined)
}

/** Returns the session in the claims of a verified token, or undefined if it is not a login token. */
export const decodedOf = (claims: Claims, token: string): Decoded | undefined => {
  const id = text(versionedClaim(claims, "sid", "tk"))
  const user_id = text(versionedClaim(claims, "sub", "uid"))
  const realm_id = realmOf(claims)
  const { iat: created_at, exp: expires_at = null } = claims
  if (id === undefined || user_id === undefined || realm_id === undefined) return undefined
  if (typeof created_at !== "number" || (expires_at !== null && typeof expires_at !== "number")) return undefined
  const user = userOf(claims, user_id, realm_id)
  return { id, object: "session", created_at, expires_at, token, ...loginOf(claims), user_id, user }
}
