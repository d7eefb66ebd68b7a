import { Effect } from "effect"
import { Api } from "#api/Api"
import { SessionBody, SessionItem } from "#api/sessions/V1"
import { Sessions } from "#core/sessions/Sessions"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { expands, jsonResponse, listResponse, requestedPage } from "../WireMapping.ts"
import { sessionBody, sessionItem } from "./BodiesV1.ts"
import { readableToken } from "./ReadableToken.ts"

/** `/v1/sessions` */
export const SessionsHandlersV1 = handlerGroup(
  Api,
  "v1.sessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* Sessions
    const userIn = yield* makeUserFilter("v1")
    const { SessionNotFound, UserNotFound, UserInactive, RealmNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(userIn(query.user_id), (userId) => sessions.list(userId, requestedPage(query, "id"))).pipe(
          Effect.flatMap(listResponse(SessionItem, sessionItem)),
          Effect.catchTags({ SessionNotFound })
        ),
      get: ({ params, query }) =>
        Effect.gen(function* () {
          const id = yield* sessions.idOf(params.session_id)
          const memberships = expands(query, "memberships")
          if (!expands(query, "token")) {
            return jsonResponse(SessionBody, sessionBody(yield* sessions.read(id, memberships), memberships))
          }
          const login = yield* sessions.get(id, { memberships, orgId: undefined })
          const token = yield* readableToken(login.token)
          return jsonResponse(SessionBody, { ...sessionBody(login, memberships), token })
        }).pipe(Effect.catchTags({ SessionNotFound, UserInactive: SessionNotFound })),
      create: ({ payload }) =>
        sessions.create(payload.session.user_id).pipe(
          Effect.map((login) => jsonResponse(SessionBody, { ...sessionBody(login, false), token: login.token }, 201)),
          Effect.catchTags({ UserNotFound, UserInactive })
        ),
      delete: ({ params }) =>
        sessions.idOf(params.session_id).pipe(
          Effect.flatMap((id) => sessions.delete(id, "deleted")),
          // Deleting a session that does not exist succeeds.
          Effect.catchTags({ RealmNotFound, SessionNotFound: () => Effect.void })
        )
    })
  })
)
