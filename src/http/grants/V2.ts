import { Effect } from "effect"
import { Api } from "#api/Api"
import { GrantBody } from "#api/grants/V2"
import { OAuthGrants } from "#core/oauth/OAuthGrants"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { grantBodyV2 } from "./Bodies.ts"

/** `/v2/grants` */
export const GrantsHandlersV2 = handlerGroup(
  Api,
  "v2.grants",
  Effect.fn(function* (handlers) {
    const grants = yield* OAuthGrants
    const userIn = yield* makeUserFilter("v2")
    const { OAuthGrantNotFound, RealmNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          grants.list({ userId, clientId: query.client_app_id }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(GrantBody, grantBodyV2)), Effect.catchTags({ OAuthGrantNotFound })),
      get: ({ params }) =>
        grants.get(params.grant_id).pipe(Effect.map(grantBodyV2), Effect.catchTags({ OAuthGrantNotFound })),
      delete: ({ params }) =>
        grants.revoke(params.grant_id).pipe(Effect.catchTags({ OAuthGrantNotFound, RealmNotFound }))
    })
  })
)
