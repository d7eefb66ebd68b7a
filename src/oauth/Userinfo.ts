import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type PresentedToken, userinfoReader } from "#core/oauth/Userinfo"
import { type OAuthRefused, oauthErrorOf, oauthRefused } from "#domain/oauth/OAuthProblem"
import { proofAlgorithms } from "#domain/oauth/ProofAlgorithm"
import { anyOrigin, preflight } from "./Cors.ts"
import type { OAuthRequest } from "./Endpoint.ts"
import { noStore, refusalResponse } from "./Errors.ts"
import { formText, queryText } from "./Params.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest

const AUTHORIZATION = /^(bearer|dpop) +([\w.~+/-]+=*)$/i

const tokensIn = (text: string): ReadonlyArray<string> =>
  new URLSearchParams(text).getAll("access_token").filter((token) => token !== "")

/** Returns the tokens in the form of a POST, or an empty list if the body is not a form. */
const tokensInForm = (http: HttpRequest) =>
  http.method === "POST"
    ? Effect.match(formText(http), { onFailure: () => [], onSuccess: tokensIn })
    : Effect.succeed<ReadonlyArray<string>>([])

/**
 * Returns the token in the `Authorization` header or in the form of a POST. Tokens in the URL are ignored. Rejects a request
 * that sends its token in more than one way (RFC 6750 §2).
 */
const presentedIn = Effect.fnUntraced(function* (http: HttpRequest) {
  const { authorization, dpop: proof } = http.headers
  const { method } = http
  const [, scheme = "", token] = AUTHORIZATION.exec(authorization ?? "") ?? []
  const inForm = yield* tokensInForm(http)
  const all = [...inForm, ...tokensIn(queryText(http)), ...(token === undefined ? [] : [token])]
  if (all.length > 1) return yield* oauthRefused("token_twice")
  if (token !== undefined) {
    const presented: PresentedToken = {
      token,
      scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer",
      proof,
      method
    }
    return presented
  }
  const [only] = authorization === undefined ? inForm : []
  return only === undefined ? undefined : ({ token: only, scheme: "Bearer", proof, method } as const)
})

/**
 * Returns the `WWW-Authenticate` challenges (RFC 6750 §3, RFC 9449 §7.1). If the request has no token, they contain no error.
 */
const challenge = (realmId: string, refused?: OAuthRefused): string => {
  const problem = refused === undefined ? undefined : oauthErrorOf(refused)
  const error = problem === undefined ? "" : `, error="${problem.error}", error_description="${problem.description}"`
  return `Bearer realm="${realmId}"${error}, DPoP algs="${proofAlgorithms.join(" ")}"${error}`
}

/** Returns 401 instead of 400, because at this endpoint, a rejected DPoP proof means that the token is rejected. */
const unauthorized = (refused: OAuthRefused, challenges: string) => {
  const response = refusalResponse(refused, { ...anyOrigin, "www-authenticate": challenges })
  return response.status === 400 ? HttpServerResponse.setStatus(response, 401) : response
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export const userinfoEndpoint = Effect.gen(function* () {
  const claimsOf = yield* userinfoReader

  const show = Effect.fnUntraced(function* ({ http, realm }: OAuthRequest) {
    if (http.method === "OPTIONS") return preflight("GET, POST")
    const presented = yield* Effect.catchTag(presentedIn(http), "OAuthRefused", (refused) =>
      Effect.succeed(refusalResponse(refused, { ...anyOrigin, "www-authenticate": challenge(realm.id, refused) }))
    )
    if (HttpServerResponse.isHttpServerResponse(presented)) return presented
    if (presented === undefined) {
      const headers = { ...noStore, ...anyOrigin, "www-authenticate": challenge(realm.id) }
      return HttpServerResponse.empty({ status: 401, headers })
    }
    return yield* claimsOf(presented).pipe(
      Effect.map((claims) => HttpServerResponse.jsonUnsafe(claims, { headers: { ...noStore, ...anyOrigin } })),
      Effect.catchTag("OAuthRefused", (refused) => Effect.succeed(unauthorized(refused, challenge(realm.id, refused))))
    )
  })

  return show
})
