import { isObject } from "#domain/JsonObject"
import { memberAt } from "./providers/ProviderClaims.ts"

/** Returns whether a member's value is neither null nor empty. */
const hasValue = ([, value]: readonly [string, unknown]): boolean => value !== null && value !== ""

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Normalizes a token endpoint's response to RFC 6749 §5.1 where a deviation is unambiguous. Treats null and empty members as
 * missing, and accepts a missing `token_type`, a list as `scope`, and any content type. The library rejects other deviations,
 * such as an unknown `token_type`.
 */
export const normalizeTokenResponse = (response: Response, text: string): Response => {
  const { status, headers } = response
  const body = objectIn(text)
  if (status !== 200 || body === undefined) return new Response(text === "" ? null : text, { status, headers })
  const given = Object.fromEntries(Object.entries(body).filter(hasValue))
  const scope = memberAt(given, "scope")
  const members = {
    ...given,
    ...(memberAt(given, "access_token") === undefined ? {} : { token_type: memberAt(given, "token_type") ?? "bearer" }),
    scope: Array.isArray(scope) ? scope.join(" ") : scope
  }
  return new Response(JSON.stringify(members), { status, headers: { "content-type": "application/json" } })
}
