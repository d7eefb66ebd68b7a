/** The parameters of an authorization request that are supported or explicitly rejected. Others are ignored (RFC 6749 §3.1). */
export const authorizationParams = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "prompt",
  "max_age",
  "login_hint",
  "id_token_hint",
  "acr_values",
  "ui_locales",
  "claims",
  "resource",
  "org_id",
  "dpop_jkt",
  "request",
  "request_uri",
  "registration"
] as const

export type AuthorizationParam = (typeof authorizationParams)[number]

/** The parameters of an authorization request as sent, with all non-blank values of each. */
export type SentParams = { readonly [Name in AuthorizationParam]?: ReadonlyArray<string> }

/** Accessors for the parameters of an authorization request. */
export interface ParamReader {
  /** The value of a parameter, if it was sent only once. */
  readonly get: (name: AuthorizationParam) => string | undefined
  readonly all: (name: AuthorizationParam) => ReadonlyArray<string>
  /** Returns whether a parameter that allows only one value was sent several times. Two parties might read different values. */
  readonly isRepeated: (name: AuthorizationParam) => boolean
}

/** The only parameter that may be sent more than once (RFC 8707 §2). */
const REPEATABLE: AuthorizationParam = "resource"

export const paramReader = (sent: SentParams): ParamReader => {
  const all = (name: AuthorizationParam) => sent[name] ?? []
  const isRepeated = (name: AuthorizationParam) => name !== REPEATABLE && all(name).length > 1
  return { all, isRepeated, get: (name) => (isRepeated(name) ? undefined : all(name)[0]) }
}

/** Reads the parameters from a query or form. A blank value counts as omitted (RFC 6749 §3.1). */
export const paramsIn = (params: URLSearchParams): SentParams =>
  Object.fromEntries(
    authorizationParams.flatMap((name) => {
      const values = params.getAll(name)
      const relevant = values.length > 1 && name !== REPEATABLE ? values : values.filter((value) => value !== "")
      return relevant.length === 0 ? [] : [[name, relevant]]
    })
  )
