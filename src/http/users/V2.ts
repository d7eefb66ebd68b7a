import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { UserBody } from "#api/nested/V2"
import { values } from "#api/Wire"
import { Acceptance } from "#core/invitations/Acceptance"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { canonicalEmail } from "#domain/Email"
import { parsePermissions } from "#domain/Permission"
import { canonical } from "#domain/Text"
import { words } from "../Errors.ts"
import { userBody, userBodyWith, userItem } from "../memberships/BodiesV2.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { orgAttributesOf } from "../provisioning/NewOrgs.ts"
import { attributesOf, newUserOf } from "../provisioning/NewUsers.ts"
import { either, expands, pageAsked, sent } from "../WireMapping.ts"

/** `/v2/users`. */
export const UsersHandlers = HttpApiBuilder.group(
  Api,
  "v2.users",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const updates = yield* UserUpdates
    const acceptance = yield* Acceptance
    const { Rejected, HashingBusy, UserNotFound, RealmNotFound, TokenNotFound } = words

    return handlers.handleAll({
      list: ({ query }) => {
        const filter = {
          userType: "human" as const,
          // What is no e-mail is nobody's.
          email: query.email === undefined ? undefined : (canonicalEmail(query.email) ?? ""),
          reference: query.reference,
          username: query.username === undefined ? undefined : canonical(query.username),
          state: query.state
        }
        return users.list(filter, pageAsked(query, "email")).pipe(
          Effect.map(({ items, more }) => ({
            collection: items.map((user) => userItem(user, expands(query, "custom"))),
            more_results: more
          })),
          Effect.catchTags({ UserNotFound })
        )
      },
      get: ({ params, query }) =>
        (expands(query, "memberships")
          ? Effect.map(users.getWithMemberships(params.user_id), userBodyWith)
          : Effect.map(users.get(params.user_id), userBody)
        ).pipe(
          Effect.map((body) => sent(UserBody, body)),
          Effect.catchTags({ UserNotFound })
        ),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { user: asked } = payload
          const org = yield* either("org", asked.org, payload.org)
          const orgIds = yield* either("org_ids", asked.org_ids, payload.org_ids)
          const permissions = yield* either("permissions", asked.permissions, payload.permissions)
          const created = yield* users.create({
            ...(yield* newUserOf(asked, { userType: "human", usernameRequired: false })),
            signupToken: undefined,
            org: org === undefined ? undefined : orgAttributesOf(org),
            orgIds: values(orgIds),
            permissions: parsePermissions(permissions ?? []),
            ownMembership: false
          })
          return { ...userBodyWith(created), new_record: true as const }
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, RealmNotFound })),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const updated = yield* updates.update(params.user_id, {
            attributes: attributesOf(payload.user),
            password: yield* passwordOf(payload.user),
            apiKey: undefined,
            usernameRequired: false
          })
          return userBody(updated)
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, UserNotFound, RealmNotFound })),
      accept_invitation: ({ params, payload }) =>
        acceptance
          .accept(params.user_id, payload.user.token ?? "")
          .pipe(Effect.map(userBodyWith), Effect.catchTags({ Rejected, TokenNotFound, UserNotFound, RealmNotFound })),
      delete: ({ params }) => users.delete(params.user_id).pipe(Effect.catchTags({ UserNotFound, RealmNotFound }))
    })
  })
)
