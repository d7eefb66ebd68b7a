import { Effect } from "effect"
import { Api } from "#api/Api"
import { ConsentBody } from "#api/consents/V1"
import { OAuthConsents } from "#core/oauth/OAuthConsents"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { consentBodyV1 } from "./Bodies.ts"

/** `/v1/consents` */
export const ConsentsHandlersV1 = handlerGroup(
  Api,
  "v1.consents",
  Effect.fn(function* (handlers) {
    const consents = yield* OAuthConsents
    const userIn = yield* makeUserFilter("v1")
    const { OAuthConsentNotFound, RealmNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          consents.list({ userId, clientId: query.login_policy_id }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(ConsentBody, consentBodyV1)), Effect.catchTags({ OAuthConsentNotFound })),
      get: ({ params }) =>
        consents.get(params.consent_id).pipe(Effect.map(consentBodyV1), Effect.catchTags({ OAuthConsentNotFound })),
      delete: ({ params }) =>
        consents.revoke(params.consent_id).pipe(Effect.catchTags({ OAuthConsentNotFound, RealmNotFound }))
    })
  })
)
