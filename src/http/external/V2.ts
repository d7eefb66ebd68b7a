import { Effect } from "effect"
import { Api } from "#api/Api"
import type { AuthorizationUrlBody } from "#api/external/V2"
import { type AuthorizationUrl, AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { ExternalLogins } from "#core/external/ExternalLogins"
import { wireErrors } from "../Errors.ts"
import { loginResponse } from "../login/BodiesV2.ts"
import { handlerGroup } from "../RequestServices.ts"
import { listBody } from "../WireMapping.ts"
import { callbackParameters, urlRequest } from "./Requests.ts"

const loginOptions = { pendingKind: "tmf:", scope: { memberships: false, orgId: undefined } } as const

const urlBody = ({ provider, url }: AuthorizationUrl): typeof AuthorizationUrlBody.Type => ({
  id: provider.id,
  provider_type: provider.providerType,
  auth_url: url,
  realm_id: provider.realmId
})

/** `/v2/auth_providers/…/authorize`: logins through external providers. */
export const ExternalAuthenticationHandlersV2 = handlerGroup(
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
          .pipe(
            Effect.map(urlBody),
            Effect.catchTags({ Rejected, LoginsOff, AuthProviderNotFound, ExternalLoginRefused })
          ),
      authenticate: ({ payload }) =>
        logins.byCode({ ...callbackParameters(payload), ...loginOptions }).pipe(
          Effect.map((outcome) => loginResponse(outcome, 201)),
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
        logins
          .byAccessToken(params.auth_provider_id, { accessToken: payload.access_token ?? "", ...loginOptions })
          .pipe(
            Effect.map((outcome) => loginResponse(outcome, 201)),
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
