import { isObject } from "../JsonObject.ts"

/** The claims requested by name in a `claims` parameter, for each place where they are returned (OpenID Connect Core §5.5). */
export interface ClaimsRequest {
  readonly userinfo: ReadonlyArray<string>
  readonly idToken: ReadonlyArray<string>
}

const noClaims: ClaimsRequest = { userinfo: [], idToken: [] }

/** The maximum length of a `claims` parameter, in characters. */
export const CLAIMS_LENGTH = 4_096

/** The claim names in a request. The value of each is null or an object with details about the claim. */
const namesIn = (value: unknown): ReadonlyArray<string> | undefined => {
  if (value === undefined || value === null) return []
  if (!isObject(value)) return undefined
  return Object.values(value).every((member) => member === null || isObject(member)) ? Object.keys(value) : undefined
}

/** Parses a `claims` parameter. Returns undefined if it does not conform to the standard. */
export const parseClaimsRequest = (parameter: string | null): ClaimsRequest | undefined => {
  if (parameter === null) return noClaims
  if (parameter.length > CLAIMS_LENGTH) return undefined
  let value: unknown
  try {
    value = JSON.parse(parameter)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const [userinfo, idToken] = [namesIn(value["userinfo"]), namesIn(value["id_token"])]
  return userinfo === undefined || idToken === undefined ? undefined : { userinfo, idToken }
}
