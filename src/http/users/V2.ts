import { Effect } from "effect"
import { Api } from "#api/Api"
import { UserItem } from "#api/memberships/V2"
import { UserBody } from "#api/users/V2"
import { AccountDeletions } from "#core/account/AccountDeletions"
import { Acceptance } from "#core/invitations/Acceptance"
import { TrustedDevices } from "#core/provisioning/TrustedDevices"
import { Sessions } from "#core/sessions/Sessions"
import { ListSummaries } from "#core/users/ListSummaries"
import { UserBlocks } from "#core/users/UserBlocks"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { canonicalEmail } from "#domain/Email"
import { withKnownProblems } from "#domain/KnownProblems"
import type { MembershipSummary } from "#domain/Membership"
import type { Problem } from "#domain/Rejected"
import { canonical } from "#domain/Text"
import type { User } from "#domain/User"
import { wireErrors } from "../Errors.ts"
import { orgItem, userItem } from "../memberships/BodiesV2.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { userAttributesOf } from "../provisioning/NewUsers.ts"
import { newUserOf } from "../provisioning/NewUsersV2.ts"
import { requestedSearch } from "../RequestedSearch.ts"
import { handlerGroup } from "../RequestServices.ts"
import { expands, jsonResponse, listResponse, requestedPage, timeTOrNull } from "../WireMapping.ts"
import { trustedDevicesBody, userBlocksBody, userBody, userBodyWith } from "./BodiesV2.ts"
import { credentialItems } from "./CredentialItems.ts"
import { membershipsOfNewUser } from "./Requests.ts"

/** The memberships of a listed user. */
const summaryOf = (memberships: MembershipSummary | undefined) => ({
  membership_count: memberships?.count ?? 0,
  orgs: (memberships?.orgs ?? []).map((org) => orgItem(org, false))
})

/** `/v2/users` */
export const UsersHandlersV2 = handlerGroup(
  Api,
  "v2.users",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const deletions = yield* AccountDeletions
    const userBlocks = yield* UserBlocks
    const devices = yield* TrustedDevices
    const updates = yield* UserUpdates
    const acceptance = yield* Acceptance
    const sessions = yield* Sessions
    const summaries = yield* ListSummaries
    const { Rejected, HashingBusy, UserNotFound, RealmNotFound, SessionNotFound, TokenNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) => {
        const filter = {
          userType: "human" as const,
          // A malformed email matches nothing.
          email: query.email === undefined ? undefined : (canonicalEmail(query.email) ?? ""),
          reference: query.reference,
          username: query.username === undefined ? undefined : canonical(query.username),
          state: query.state
        }
        return Effect.gen(function* () {
          const search = yield* requestedSearch(query, ["email", "reference", "username"])
          const page = yield* search === undefined
            ? users.list(filter, requestedPage(query, "email"))
            : users.search(search, { state: query.state })
          const total =
            search === undefined && expands(query, "total_results") ? yield* summaries.countUsers(filter) : undefined
          const memberships = expands(query, "orgs") ? yield* summaries.membershipsOf(page.items) : undefined
          const credentials = expands(query, "credentials") ? yield* users.credentialsOf(page.items) : undefined
          return yield* listResponse(UserItem, (user: User) => ({
            ...userItem(user, expands(query, "custom")),
            deletion_at: timeTOrNull(user.deletionAt),
            ...(memberships === undefined ? {} : summaryOf(memberships.get(user.id))),
            ...(credentials === undefined ? {} : { credentials: credentialItems(credentials.get(user.id) ?? []) })
          }))({ ...page, total })
        }).pipe(Effect.catchTags({ Rejected, UserNotFound }))
      },
      get: ({ params, query }) =>
        (expands(query, "memberships")
          ? Effect.map(users.getWithMemberships(params.user_id), userBodyWith)
          : Effect.map(users.get(params.user_id), userBody)
        ).pipe(
          Effect.map((body) => jsonResponse(UserBody, body)),
          Effect.catchTags({ UserNotFound })
        ),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { user } = payload
          const problems: Array<Problem> = []
          const creation = {
            ...newUserOf(user, problems),
            signupToken: undefined,
            ...membershipsOfNewUser(payload, problems),
            ownMembership: false
          }
          const created = yield* withKnownProblems(problems, users.create(creation))
          return jsonResponse(UserBody, { ...userBodyWith(created), new_record: true as const }, 201)
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, RealmNotFound })),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const problems: Array<Problem> = []
          const change = {
            attributes: userAttributesOf(payload.user),
            password: passwordOf(payload.user, problems),
            apiKey: undefined,
            usernameRequired: false
          }
          return userBody(yield* withKnownProblems(problems, updates.update(params.user_id, change)))
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, UserNotFound, RealmNotFound })),
      accept_invitation: ({ params, payload }) =>
        acceptance
          .accept(params.user_id, payload.user.token ?? "")
          .pipe(Effect.map(userBodyWith), Effect.catchTags({ Rejected, TokenNotFound, UserNotFound, RealmNotFound })),
      end_sessions: ({ params, payload }) =>
        Effect.gen(function* () {
          const { user } = yield* users.get(params.user_id)
          const ended = yield* sessions.endAll(user.id, payload.except ?? undefined)
          return { object: "ended_sessions" as const, sessions: ended }
        }).pipe(Effect.catchTags({ RealmNotFound, SessionNotFound, UserNotFound })),
      blocks: ({ params }) =>
        Effect.gen(function* () {
          const { user } = yield* users.get(params.user_id)
          return userBlocksBody(user, yield* userBlocks.list(user))
        }).pipe(Effect.catchTags({ UserNotFound })),
      unblock: ({ params }) =>
        Effect.gen(function* () {
          const { user } = yield* users.get(params.user_id)
          yield* userBlocks.end(user)
        }).pipe(Effect.catchTags({ UserNotFound, RealmNotFound })),
      trusted_devices: ({ params }) =>
        Effect.gen(function* () {
          const { user } = yield* users.get(params.user_id)
          return trustedDevicesBody(user, yield* devices.list(user))
        }).pipe(Effect.catchTags({ UserNotFound })),
      untrust_devices: ({ params }) =>
        Effect.gen(function* () {
          const { user } = yield* users.get(params.user_id)
          yield* devices.removeAll(user)
        }).pipe(Effect.catchTags({ UserNotFound, RealmNotFound })),
      cancel_deletion: ({ params }) =>
        users.resolve(params.user_id).pipe(
          Effect.flatMap((id) => deletions.cancel(id)),
          Effect.catchTags({ UserNotFound, RealmNotFound })
        ),
      delete: ({ params }) => users.delete(params.user_id).pipe(Effect.catchTags({ UserNotFound, RealmNotFound }))
    })
  })
)
