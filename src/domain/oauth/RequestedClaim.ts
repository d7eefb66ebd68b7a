import { memberOf } from "../JsonObject.ts"
/** What a `claims` parameter says of one claim of the ID token (OpenID Connect Core §5.5.1). */
export interface RequestedClaim {
  readonly isEssential: boolean
  /** The values that the client takes. Empty: any. */
  readonly values: ReadonlyArray<unknown>
}

const parsed = (claims: string | undefined): unknown => {
  try {
    return claims === undefined ? undefined : JSON.parse(claims)
  } catch {
    return undefined
  }
}

/** What a `claims` parameter says of a claim of the ID token. */
export const requestedClaim = (claims: string | undefined, name: string): RequestedClaim => {
  const claim = memberOf(memberOf(parsed(claims), "id_token"), name)
  const values: ReadonlyArray<unknown> = [memberOf(claim, "value"), memberOf(claim, "values")].flat()
  return { isEssential: memberOf(claim, "essential") === true, values: values.filter((value) => value !== undefined) }
}
