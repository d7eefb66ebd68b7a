import { Effect } from "effect"
import { Api } from "#api/Api"
import { SessionBody, SessionItem } from "#api/sessions/V2"
import { Sessions } from "#core/sessions/Sessions"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { expands, jsonResponse, listResponse, requestedPage } from "../WireMapping.ts"
import { sessionBody, sessionItem } from "./BodiesV2.ts"
import { readableToken } from "./ReadableToken.ts"

/** `/v2/sessions` */
export const SessionsHandlersV2 = handlerGroup(
  Api,
  "v2.sessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* Sessions
    const userIn = yield* makeUserFilter("v2")
    const { SessionNotFound, UserNotFound, UserInactive, RealmNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(userIn(query.user_id), (userId) => sessions.list(userId, requestedPage(query, "id"))).pipe(
          Effect.flatMap(listResponse(SessionItem, sessionItem)),
          Effect.catchTags({ SessionNotFound })
        ),
      get: ({ params, query }) => {
        const memberships = expands(query, "memberships")
        return sessions.get(params.session_id, { memberships, orgId: query.org_id }).pipe(
          Effect.flatMap((login) =>
            Effect.map(readableToken(login.token), (token) =>
              jsonResponse(SessionBody, { ...sessionBody(login, memberships), token })
            )
          ),
          Effect.catchTags({ SessionNotFound, UserInactive: SessionNotFound })
        )
      },
      create: ({ payload }) =>
        sessions.create(payload.session.user_id).pipe(
          Effect.map((login) => jsonResponse(SessionBody, sessionBody(login, false), 201)),
          Effect.catchTags({ UserNotFound, UserInactive })
        ),
      delete: ({ params }) => sessions.delete(params.session_id, "deleted").pipe(Effect.catchTags({ RealmNotFound }))
    })
  })
)
