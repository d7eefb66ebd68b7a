type Claims = Readonly<Record<string, unknown>>

/** The range and default of a realm's `jwt_max_bytes`. */
export const jwtMaxBytes = { least: 2_000, most: 60_000, default: 12_000 } as const

/** The parts to leave out of a token that is too large, in this order. The names are those in the `ar.truncated` claim (C277). */
export const truncatedParts = ["orgs.custom", "orgs.names", "custom", "orgs"] as const

type Part = (typeof truncatedParts)[number]

/** The claims that list memberships, in /v2 and /v1. */
const listClaims = ["orgs", "m"]

/** The size of a token's payload with these claims, in bytes. */
export const payloadBytes = (claims: Claims): number =>
  Math.ceil((new TextEncoder().encode(JSON.stringify(claims)).length * 4) / 3)

const mapLists = (claims: Claims, change: (list: ReadonlyArray<object>) => ReadonlyArray<object>): Claims =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      listClaims.includes(name) && Array.isArray(value) ? change(value) : value
    ])
  )

const withoutMembers = (claims: Claims, names: ReadonlyArray<string>): Claims =>
  mapLists(claims, (list) =>
    list.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => !names.includes(name))))
  )

/** Keeps as many memberships in the claims as fit, oldest first. */
const withFewerMemberships = (claims: Claims, most: number): Claims => {
  const first = (count: number) => mapLists(claims, (list) => list.slice(0, count))
  const lengths = listClaims.map((name) => claims[name]).map((list) => (Array.isArray(list) ? list.length : 0))
  let [fitting, tooMany] = [0, Math.max(...lengths) + 1]
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if (payloadBytes(first(middle)) <= most) fitting = middle
    else tooMany = middle
  }
  return first(fitting)
}

const leaveOut: Readonly<Record<Part, (claims: Claims, most: number) => Claims>> = {
  "orgs.custom": (claims) => withoutMembers(claims, ["cs", "ocs"]),
  "orgs.names": (claims) => withoutMembers(claims, ["name", "ref", "o"]),
  custom: ({ cs: _, ...claims }) => claims,
  orgs: withFewerMemberships
}

/**
 * Leaves out parts of the claims until their payload has at most `most` bytes, if possible. Returns the same object if
 * nothing was left out.
 */
export const fittingClaims = (claims: Claims, most: number): Claims => {
  let [found, left] = [claims, claims]
  const truncated: Array<Part> = []
  for (const part of truncatedParts) {
    if (payloadBytes(found) <= most) break
    const shorter = leaveOut[part](left, most - payloadBytes({ "ar.truncated": [...truncated, part] }))
    if (payloadBytes(shorter) === payloadBytes(left)) continue
    truncated.push(part)
    left = shorter
    found = { ...left, "ar.truncated": [...truncated] }
  }
  return found
}
