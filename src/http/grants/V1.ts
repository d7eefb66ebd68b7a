import { Effect } from "effect"
import { Api } from "#api/Api"
import { GrantBody } from "#api/grants/V1"
import { OAuthGrants } from "#core/oauth/OAuthGrants"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { grantBodyV1 } from "./Bodies.ts"

/** `/v1/grants` */
export const GrantsHandlersV1 = handlerGroup(
  Api,
  "v1.grants",
  Effect.fn(function* (handlers) {
    const grants = yield* OAuthGrants
    const userIn = yield* makeUserFilter("v1")
    const { OAuthGrantNotFound, RealmNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          grants.list({ userId, clientId: query.login_policy_id }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(GrantBody, grantBodyV1)), Effect.catchTags({ OAuthGrantNotFound })),
      get: ({ params }) =>
        grants.get(params.grant_id).pipe(Effect.map(grantBodyV1), Effect.catchTags({ OAuthGrantNotFound })),
      delete: ({ params }) =>
        grants.revoke(params.grant_id).pipe(Effect.catchTags({ OAuthGrantNotFound, RealmNotFound }))
    })
  })
)
