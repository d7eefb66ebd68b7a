/**
 * How a client receives the authorization response: in the query of its redirect URI, or as a form that the browser posts
 * to it.
 */
export const responseModes = ["query", "form_post"] as const

export type ResponseMode = (typeof responseModes)[number]

/**
 * Where to send the response to an authorization request. `state` lets the client recognize its request, and is null if the
 * client sent none.
 */
export interface ResponseTarget {
  readonly redirectUri: string
  readonly responseMode: ResponseMode
  readonly state: string | null
}

/** The content of an authorization response: a code or an error. */
export type AuthorizationResult =
  | { readonly code: string }
  | { readonly error: string; readonly error_description: string }

/** An authorization response to send, either a redirect or a form to post. */
export type AuthorizationResponse =
  | { readonly _tag: "Redirect"; readonly url: string }
  | { readonly _tag: "FormPost"; readonly action: string; readonly fields: Readonly<Record<string, string>> }

/**
 * Builds the authorization response. It includes the issuer, so that clients do not mistake it for a response from another
 * one (RFC 9207). The registered URI is left unchanged, and the parameters are appended.
 */
export const authorizationResponse = (
  issuer: string,
  { redirectUri, responseMode, state }: ResponseTarget,
  answer: AuthorizationResult
): AuthorizationResponse => {
  const fields = { ...answer, ...(state === null ? {} : { state }), iss: issuer }
  if (responseMode === "form_post") return { _tag: "FormPost", action: redirectUri, fields }
  const join = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?"
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { _tag: "Redirect", url: `${redirectUri}${join}${query.join("&")}` }
}
