/** How a client gets the authorization response: in the query of its redirect URI, or as a form that the browser posts there. */
export const responseModes = ["query", "form_post"] as const

export type ResponseMode = (typeof responseModes)[number]

/** Where the response to an authorization request goes. `state`: what the client recognizes its request by. Null: nothing. */
export interface ResponseTarget {
  readonly redirectUri: string
  readonly responseMode: ResponseMode
  readonly state: string | null
}

/** What an authorization response says: a code, or an error. */
export type AuthorizationAnswer =
  | { readonly code: string }
  | { readonly error: string; readonly error_description: string }

/** An authorization response on its way: an address to redirect to, or a form to post to one. */
export type AuthorizationResponse =
  | { readonly _tag: "Redirect"; readonly url: string }
  | { readonly _tag: "FormPost"; readonly action: string; readonly fields: Readonly<Record<string, string>> }

/**
 * The authorization response. It names its issuer, so that no client takes it for that of another (RFC 9207). The registered
 * address stays as it is, and the parameters follow it.
 */
export const authorizationResponse = (
  issuer: string,
  { redirectUri, responseMode, state }: ResponseTarget,
  answer: AuthorizationAnswer
): AuthorizationResponse => {
  const fields = { ...answer, ...(state === null ? {} : { state }), iss: issuer }
  if (responseMode === "form_post") return { _tag: "FormPost", action: redirectUri, fields }
  const join = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?"
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { _tag: "Redirect", url: `${redirectUri}${join}${query.join("&")}` }
}
