import { memberOf } from "../JsonObject.ts"

/** A client's request for one claim of the ID token, from the `claims` parameter (OpenID Connect Core §5.5.1). */
export interface RequestedClaim {
  readonly isEssential: boolean
  /** The values that the client accepts. Empty if it accepts any. */
  readonly values: ReadonlyArray<unknown>
}

const parseClaims = (claims: string | undefined): unknown => {
  try {
    return claims === undefined ? undefined : JSON.parse(claims)
  } catch {
    return undefined
  }
}

/** Finds the request for a claim of the ID token in a `claims` parameter. */
export const requestedClaim = (claims: string | undefined, name: string): RequestedClaim => {
  const claim = memberOf(memberOf(parseClaims(claims), "id_token"), name)
  const values: ReadonlyArray<unknown> = [memberOf(claim, "value"), memberOf(claim, "values")].flat()
  return { isEssential: memberOf(claim, "essential") === true, values: values.filter((value) => value !== undefined) }
}
