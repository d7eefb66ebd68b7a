import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import type { AuthorizationUrlBody } from "#api/external/V1"
import { type AuthorizationUrl, AuthorizationUrls } from "#core/external/AuthorizationUrls"
import { ExternalLogins } from "#core/external/ExternalLogins"
import { Users } from "#core/users/Users"
import type { LoginOutcome } from "#domain/Login"
import { wireErrorsV1 } from "../Errors.ts"
import { membershipBody } from "../memberships/BodiesV1.ts"
import { userBody } from "../users/BodiesV1.ts"
import { expands, listBody } from "../WireMapping.ts"
import { callbackParameters, urlRequest } from "./Requests.ts"

interface Expanding {
  readonly expand?: string | ReadonlyArray<string>
}

const urlBody = ({ provider: { id, providerType }, url }: AuthorizationUrl): typeof AuthorizationUrlBody.Type => ({
  id,
  provider_type: providerType,
  url
})

/** `/v1/auth_providers/…/authorize`: logins through providers elsewhere. */
export const ExternalAuthenticationHandlersV1 = HttpApiBuilder.group(
  Api,
  "v1.external_authentication",
  Effect.fn(function* (handlers) {
    const urls = yield* AuthorizationUrls
    const logins = yield* ExternalLogins
    const users = yield* Users
    const { Rejected, HashingBusy, LoginsOff, AuthProviderNotFound, StateNotFound, ExternalLoginRefused } = wireErrorsV1
    const { UserNotFound, RealmNotFound, TokenNotFound } = wireErrorsV1

    const askedFor = (query: Expanding, payload: Expanding) => {
      const memberships = expands(query, "memberships") || expands(payload, "memberships")
      return { pendingKind: "kli_", scope: { memberships, orgId: undefined } } as const
    }

    /** The user with the token of the login, and its memberships where they are wanted. */
    const loggedIn = Effect.fnUntraced(function* (outcome: LoginOutcome, expanded: boolean) {
      const { user, token } = outcome._tag === "LoggedIn" ? outcome.login : outcome
      const memberships = outcome._tag === "LoggedIn" ? outcome.login.memberships : []
      const body = userBody(yield* users.get(user.id), null)
      return { ...body, token, ...(expanded ? { memberships: memberships.map(membershipBody) } : {}) }
    })

    return handlers.handleAll({
      list_urls: ({ query }) =>
        urls.list(urlRequest(query)).pipe(Effect.map(listBody(urlBody)), Effect.catchTags({ Rejected, LoginsOff })),
      get_url: ({ params, query }) =>
        urls
          .get(params.auth_provider_id, urlRequest(query))
          .pipe(Effect.map(urlBody), Effect.catchTags({ Rejected, LoginsOff, AuthProviderNotFound })),
      authenticate: ({ query, payload }) =>
        Effect.gen(function* () {
          const asked = { ...callbackParameters(payload), ...askedFor(query, payload) }
          return yield* loggedIn(yield* logins.byCode(asked), asked.scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, HashingBusy, LoginsOff, StateNotFound, ExternalLoginRefused }),
          Effect.catchTags({ UserNotFound, RealmNotFound, TokenNotFound })
        ),
      authenticate_token: ({ params, query, payload }) =>
        Effect.gen(function* () {
          const asked = { accessToken: payload.access_token ?? "", ...askedFor(query, payload) }
          const outcome = yield* logins.byAccessToken(params.auth_provider_id, asked)
          return yield* loggedIn(outcome, asked.scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, HashingBusy, LoginsOff, AuthProviderNotFound, ExternalLoginRefused }),
          Effect.catchTags({ UserNotFound, RealmNotFound })
        )
    })
  })
)
