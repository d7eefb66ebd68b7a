/** Attributes of the app's own. */
export type Custom = Readonly<Record<string, unknown>>

/** What a token says of an org: only what is in it. */
export interface DecodedOrg {
  readonly id: string
  readonly object: "org"
  readonly realm_id: string
  readonly name?: string
  readonly reference?: string | null
  readonly custom?: Custom
}

/** What a token says of a membership. `id` is missing in tokens that have the claims of version 1 alone. */
export interface DecodedMembership {
  readonly id?: string
  readonly object: "membership"
  readonly org_id: string | null
  readonly user_id: string
  readonly permissions: ReadonlyArray<string>
  readonly custom?: Custom
  readonly org?: DecodedOrg
}

/** What a token says of its user. `email_verification` is null where the e-mail is not verified: more is not in it. */
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

/** The session that a token is of, as far as the token tells (api-v2 section 4, "Decode a session token"). */
export interface Decoded {
  readonly id: string
  readonly object: "session"
  /** When the token was issued, in seconds since 1970. */
  readonly created_at: number
  /** Null: it has no end. */
  readonly expires_at: number | null
  readonly token: string
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

/** Each claim of a membership, by its name in version 2 and in version 1. */
interface OrgClaims {
  readonly id: unknown
  readonly orgId: unknown
  readonly permissions: unknown
  readonly custom: unknown
  readonly name: unknown
  readonly reference: unknown
  readonly orgCustom: unknown
}

/** The memberships as version 2 claims them; what of them only version 1 says is added where that is there too. */
const orgClaims = (claims: Claims): ReadonlyArray<OrgClaims> | undefined => {
  const first = items(claims["m"])
  const second = items(claims["orgs"])
  if (second === undefined) {
    return first?.map((one) => ({
      id: undefined,
      orgId: one["oid"],
      permissions: one["p"],
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
    ...(custom === undefined ? {} : { custom }),
    ...(org_id === null ? {} : { org: orgOf(one, org_id, realm_id) })
  }
}

/** A claim by its name in version 2, or else in version 1. */
const either = (claims: Claims, second: string, first: string): unknown =>
  claims[claims[second] === undefined ? first : second]

const userOf = (claims: Claims, id: string, realm_id: string): DecodedUser => {
  const [username, email] = [maybeText(either(claims, "preferred_username", "un")), maybeText(claims["email"])]
  const first_name = maybeText(either(claims, "given_name", "fn"))
  const last_name = maybeText(either(claims, "family_name", "ln"))
  const [name, reference] = [text(either(claims, "name", "n")), maybeText(claims["ref"])]
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

/** The session in the claims of a verified token; undefined where they are none of a login token. */
export const decodedOf = (claims: Claims, token: string): Decoded | undefined => {
  const id = text(either(claims, "sid", "tk"))
  const user_id = text(either(claims, "sub", "uid"))
  const realm_id = text(either(claims, "rid", "aud"))
  const { iat: created_at, exp: expires_at = null } = claims
  if (id === undefined || user_id === undefined || realm_id === undefined) return undefined
  if (typeof created_at !== "number" || (expires_at !== null && typeof expires_at !== "number")) return undefined
  return { id, object: "session", created_at, expires_at, token, user_id, user: userOf(claims, user_id, realm_id) }
}
