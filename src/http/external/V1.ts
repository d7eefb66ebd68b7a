import { Effect } from "effect"
import { Api } from "#api/Api"
import type { AuthorizationUrlBody } from "#api/external/V1"
import { type AuthorizationUrl, AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { ExternalLogins } from "#core/external/ExternalLogins"
import { Users } from "#core/users/Users"
import type { LoginOutcome } from "#domain/Login"
import { wireErrorsV1 } from "../Errors.ts"
import { loginBody, userOf } from "../login/BodiesV1.ts"
import { scopeOf } from "../login/Requests.ts"
import { handlerGroup } from "../RequestServices.ts"
import { userBody } from "../users/BodiesV1.ts"
import { listBody } from "../WireMapping.ts"
import { callbackParameters, urlRequest } from "./Requests.ts"

const pendingKind = "kli_" as const

const urlBody = ({ provider: { id, providerType }, url }: AuthorizationUrl): typeof AuthorizationUrlBody.Type => ({
  id,
  provider_type: providerType,
  url
})

/** `/v1/auth_providers/…/authorize`: logins through external providers. */
export const ExternalAuthenticationHandlersV1 = handlerGroup(
  Api,
  "v1.external_authentication",
  Effect.fn(function* (handlers) {
    const urls = yield* AuthorizationUrls
    const logins = yield* ExternalLogins
    const users = yield* Users
    const { Rejected, HashingBusy, LoginsOff, AuthProviderNotFound, StateNotFound, ExternalLoginRefused } = wireErrorsV1
    const { UserNotFound, RealmNotFound, TokenNotFound } = wireErrorsV1

    const respond = (outcome: LoginOutcome, expanded: boolean) =>
      Effect.map(users.get(userOf(outcome).id), (user) => loginBody(outcome, userBody(user, null), expanded))

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
      authenticate: ({ query, payload }) =>
        Effect.gen(function* () {
          const login = { ...callbackParameters(payload), pendingKind, scope: scopeOf(query, payload) }
          return yield* respond(yield* logins.byCode(login), login.scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, HashingBusy, LoginsOff, StateNotFound, ExternalLoginRefused }),
          Effect.catchTags({ UserNotFound, RealmNotFound, TokenNotFound })
        ),
      authenticate_token: ({ params, query, payload }) =>
        Effect.gen(function* () {
          const login = { accessToken: payload.access_token ?? "", pendingKind, scope: scopeOf(query, payload) }
          const outcome = yield* logins.byAccessToken(params.auth_provider_id, login)
          return yield* respond(outcome, login.scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, HashingBusy, LoginsOff, AuthProviderNotFound, ExternalLoginRefused }),
          Effect.catchTags({ UserNotFound, RealmNotFound })
        )
    })
  })
)
