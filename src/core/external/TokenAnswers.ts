import { memberAt } from "./providers/ProviderClaims.ts"

/** A member that is there, and is no empty text. */
const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== null && value !== ""

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The answer of a token endpoint in the form of RFC 6749 §5.1, where a provider departs from it without a doubt about what is
 * meant: members that are null or empty count as absent, `token_type` may be missing, `scope` a list, JSON have another content
 * type. Anything else that is wrong with it is left to be
 * refused, an unknown `token_type` among them.
 */
export const standardTokenAnswer = (response: Response, text: string): Response => {
  const { status, headers } = response
  const body = objectIn(text)
  if (status !== 200 || body === undefined) return new Response(text === "" ? null : text, { status, headers })
  const given = Object.fromEntries(Object.entries(body).filter(isGiven))
  const scope = memberAt(given, "scope")
  const members = {
    ...given,
    ...(memberAt(given, "access_token") === undefined ? {} : { token_type: memberAt(given, "token_type") ?? "bearer" }),
    scope: Array.isArray(scope) ? scope.join(" ") : scope
  }
  return new Response(JSON.stringify(members), { status, headers: { "content-type": "application/json" } })
}
