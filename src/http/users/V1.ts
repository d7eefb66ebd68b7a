import { Effect } from "effect"
import { Api } from "#api/Api"
import { UserItem } from "#api/memberships/V1"
import { UserBody } from "#api/users/V1"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { Caller } from "#domain/Caller"
import { withKnownProblems } from "#domain/KnownProblems"
import { allows } from "#domain/Level"
import type { Problem } from "#domain/Rejected"
import type { User } from "#domain/User"
import { wireErrors } from "../Errors.ts"
import { userItem } from "../memberships/BodiesV1.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { apiKeyOf, userAttributesOf } from "../provisioning/NewUsers.ts"
import { newUserOf, signupTokenOf } from "../provisioning/NewUsersV1.ts"
import { handlerGroup } from "../RequestServices.ts"
import { expands, jsonResponse, listResponse, requestedPage } from "../WireMapping.ts"
import { userBody, userBodyWith } from "./BodiesV1.ts"
import { credentialItems } from "./CredentialItems.ts"
import { membershipsOfNewUser } from "./Requests.ts"

/** `/v1/users` */
export const UsersHandlersV1 = handlerGroup(
  Api,
  "v1.users",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const updates = yield* UserUpdates
    const { Rejected, HashingBusy, UserNotFound, RealmNotFound } = wireErrors

    /** Returns a user's API key, or null if the caller may not see it (C6). */
    const readableKey = Effect.fnUntraced(function* (user: User) {
      const { level } = yield* Caller
      return allows(level, "write") ? yield* users.apiKeyOf(user) : null
    })

    return handlers.handleAll({
      list: ({ query }) => {
        const { user_type: type = "all" } = query
        const filter = {
          userType: type === "all" ? undefined : type,
          email: undefined,
          reference: query.reference,
          username: undefined,
          state: query.state
        }
        return Effect.gen(function* () {
          const page = yield* users.list(filter, requestedPage(query, "username"))
          const credentials = expands(query, "credentials") ? yield* users.credentialsOf(page.items) : undefined
          return yield* listResponse(UserItem, (user: User) => ({
            ...userItem(user, expands(query, "custom")),
            ...(credentials === undefined ? {} : { credentials: credentialItems(credentials.get(user.id) ?? []) })
          }))(page)
        }).pipe(Effect.catchTags({ UserNotFound }))
      },
      get: ({ params, query }) =>
        Effect.gen(function* () {
          const id = yield* users.idOfName(params.user_id)
          if (expands(query, "memberships")) {
            const details = yield* users.getWithMemberships(id)
            return jsonResponse(UserBody, userBodyWith(details, yield* readableKey(details.user)))
          }
          const details = yield* users.get(id)
          return jsonResponse(UserBody, userBody(details, yield* readableKey(details.user)))
        }).pipe(Effect.catchTags({ UserNotFound })),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { user } = payload
          const problems: Array<Problem> = []
          const creation = {
            ...newUserOf(user, problems),
            signupToken: signupTokenOf(user),
            ...membershipsOfNewUser(payload, problems),
            ownMembership: true
          }
          const created = yield* withKnownProblems(problems, users.create(creation))
          const apiKey = created.apiKey ?? (yield* readableKey(created.user))
          return { ...userBodyWith(created, apiKey), new_record: true as const }
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, RealmNotFound })),
      update: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const id = yield* users.idOfName(params.user_id)
          const problems: Array<Problem> = []
          const change = {
            attributes: userAttributesOf(user),
            password: passwordOf(user, problems),
            apiKey: apiKeyOf(user),
            usernameRequired: true
          }
          const updated = yield* withKnownProblems(problems, updates.update(id, change))
          return userBody(updated, updated.apiKey ?? (yield* readableKey(updated.user)))
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, UserNotFound, RealmNotFound })),
      delete: ({ params }) =>
        users
          .idOfName(params.user_id)
          .pipe(Effect.flatMap(users.delete), Effect.catchTags({ UserNotFound, RealmNotFound }))
    })
  })
)
