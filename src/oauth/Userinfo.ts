import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type PresentedToken, Userinfo } from "#core/oauth/Userinfo"
import { type OAuthRefused, oauthErrorOf } from "#domain/OAuthProblem"
import { proofAlgorithms } from "#domain/ProofAlgorithm"
import { anyOrigin, preflight } from "./Cors.ts"
import type { OAuthRequest } from "./Endpoint.ts"
import { noStore, refusalResponse } from "./Errors.ts"
import { formParams } from "./Params.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest

const AUTHORIZATION = /^(bearer|dpop) +([\w.~+/-]+=*)$/i

/** The token in the `Authorization` header, or in the form of a POST (RFC 6750 §2). In an address it is not read. */
const presentedIn = Effect.fnUntraced(function* (http: HttpRequest) {
  const { authorization, dpop: proof } = http.headers
  const { method } = http
  const [, scheme = "", token] = AUTHORIZATION.exec(authorization ?? "") ?? []
  if (token !== undefined) {
    const presented: PresentedToken = {
      token,
      scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer",
      proof,
      method
    }
    return presented
  }
  if (method !== "POST" || authorization !== undefined) return undefined
  const params = yield* Effect.catch(formParams(http), () => Effect.succeed(undefined))
  const inForm = params?.get("access_token")
  return inForm === undefined ? undefined : ({ token: inForm, scheme: "Bearer", proof, method } as const)
})

/** The challenges of a refusal (RFC 6750 §3, RFC 9449 §7.1). Who presented no token is told no error. */
const challenge = (realmId: string, refused?: OAuthRefused): string => {
  const problem = refused === undefined ? undefined : oauthErrorOf(refused)
  const error = problem === undefined ? "" : `, error="${problem.error}", error_description="${problem.description}"`
  return `Bearer realm="${realmId}"${error}, DPoP algs="${proofAlgorithms.join(" ")}"${error}`
}

/** A refusal of this endpoint is of a token, also where it is of the proof that came with it. */
const unauthorized = (refused: OAuthRefused, challenges: string) => {
  const response = refusalResponse(refused, { ...anyOrigin, "www-authenticate": challenges })
  return response.status === 400 ? HttpServerResponse.setStatus(response, 401) : response
}

/** The userinfo endpoint (OpenID Connect Core §5.3). */
export const userinfoEndpoint = Effect.gen(function* () {
  const userinfo = yield* Userinfo

  const show = Effect.fnUntraced(function* ({ http, realm }: OAuthRequest) {
    if (http.method === "OPTIONS") return preflight("GET, POST")
    const presented = yield* presentedIn(http)
    if (presented === undefined) {
      const headers = { ...noStore, ...anyOrigin, "www-authenticate": challenge(realm.id) }
      return HttpServerResponse.empty({ status: 401, headers })
    }
    return yield* userinfo.claims(presented).pipe(
      Effect.map((claims) => HttpServerResponse.jsonUnsafe(claims, { headers: { ...noStore, ...anyOrigin } })),
      Effect.catchTag("OAuthRefused", (refused) => Effect.succeed(unauthorized(refused, challenge(realm.id, refused))))
    )
  })

  return show
})
