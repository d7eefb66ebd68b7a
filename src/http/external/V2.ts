import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import type { AuthorizationUrlBody } from "#api/external/V2"
import { TokenBody } from "#api/login/Fields"
import { SessionBody } from "#api/sessions/V2"
import { type AuthorizationUrl, AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { ExternalLogins } from "#core/external/ExternalLogins"
import type { LoginOutcome } from "#domain/Login"
import { wireErrors } from "../Errors.ts"
import { sessionBody } from "../sessions/BodiesV2.ts"
import { jsonResponse, listBody } from "../WireMapping.ts"
import { callbackParameters, urlRequest } from "./Requests.ts"

const asked = { pendingKind: "tmf:", scope: { memberships: false, orgId: undefined } } as const

const urlBody = ({ provider, url }: AuthorizationUrl): typeof AuthorizationUrlBody.Type => ({
  id: provider.id,
  provider_type: provider.providerType,
  auth_url: url,
  realm_id: provider.realmId
})

const outcomeBody = (outcome: LoginOutcome) =>
  outcome._tag === "LoggedIn"
    ? jsonResponse(SessionBody, sessionBody(outcome.login, false), 201)
    : jsonResponse(TokenBody, { object: "token", token: outcome.token }, 201)

/** `/v2/auth_providers/…/authorize`: logins through providers elsewhere. */
export const ExternalAuthenticationHandlersV2 = HttpApiBuilder.group(
  Api,
  "v2.external_authentication",
  Effect.fn(function* (handlers) {
    const urls = yield* AuthorizationUrls
    const logins = yield* ExternalLogins
    const { Rejected, HashingBusy, LoginsOff, RealmNotFound } = wireErrors
    const { AuthProviderNotFound, StateNotFound, TokenNotFound, ExternalLoginRefused } = wireErrors

    return handlers.handleAll({
      list_urls: ({ query }) =>
        urls.list(urlRequest(query)).pipe(Effect.map(listBody(urlBody)), Effect.catchTags({ Rejected, LoginsOff })),
      get_url: ({ params, query }) =>
        urls
          .get(params.auth_provider_id, urlRequest(query))
          .pipe(Effect.map(urlBody), Effect.catchTags({ Rejected, LoginsOff, AuthProviderNotFound })),
      authenticate: ({ payload }) =>
        logins.byCode({ ...callbackParameters(payload), ...asked }).pipe(
          Effect.map(outcomeBody),
          Effect.catchTags({
            Rejected,
            HashingBusy,
            LoginsOff,
            StateNotFound,
            TokenNotFound,
            ExternalLoginRefused,
            RealmNotFound
          })
        ),
      authenticate_token: ({ params, payload }) =>
        logins.byAccessToken(params.auth_provider_id, { accessToken: payload.access_token ?? "", ...asked }).pipe(
          Effect.map(outcomeBody),
          Effect.catchTags({
            Rejected,
            HashingBusy,
            LoginsOff,
            AuthProviderNotFound,
            ExternalLoginRefused,
            RealmNotFound
          })
        )
    })
  })
)
