import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { values } from "#api/Wire"
import { Orgs } from "#core/orgs/Orgs"
import { parsePermissions } from "#domain/Permission"
import { words } from "../Errors.ts"
import { either, expands, pageAsked } from "../Translate.ts"
import { newUserOf } from "../UserRequests.ts"
import { orgBody, orgBodyWith, orgItem } from "./Bodies.ts"
import { orgAttributesOf } from "./OrgRequests.ts"

const human = { userType: "human", usernameRequired: false } as const

/** `/v2/orgs`. */
export const OrgsHandlers = HttpApiBuilder.group(
  Api,
  "v2.orgs",
  Effect.fn(function* (handlers) {
    const orgs = yield* Orgs
    const { Rejected, HashingBusy, OrgNotFound, RealmNotFound } = words

    return handlers.handleAll({
      list: ({ query }) =>
        orgs.list({ reference: query.reference, state: query.state }, pageAsked(query, "name")).pipe(
          Effect.map(({ items, more }) => ({
            collection: items.map((org) => orgItem(org, expands(query, "custom"))),
            more_results: more
          })),
          Effect.catchTags({ OrgNotFound })
        ),
      get: ({ params, query }) =>
        (expands(query, "memberships")
          ? Effect.map(orgs.getWithMemberships(params.org_id), orgBodyWith)
          : Effect.map(orgs.get(params.org_id), orgBody)
        ).pipe(Effect.catchTags({ OrgNotFound })),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { org: sent } = payload
          const user = yield* either("user", sent.user, payload.user)
          const userIds = yield* either("user_ids", sent.user_ids, payload.user_ids)
          const permissions = yield* either("permissions", sent.permissions, payload.permissions)
          const created = yield* orgs.create({
            attributes: orgAttributesOf(sent),
            user: user === undefined ? undefined : yield* newUserOf(user, human),
            userIds: values(userIds),
            permissions: parsePermissions(permissions ?? [])
          })
          return { ...orgBodyWith(created), new_record: true as const }
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, RealmNotFound })),
      update: ({ params, payload }) =>
        orgs
          .update(params.org_id, orgAttributesOf(payload.org))
          .pipe(Effect.map(orgBody), Effect.catchTags({ Rejected, OrgNotFound, RealmNotFound })),
      delete: ({ params, query }) =>
        Effect.gen(function* () {
          if (query.force === true) return yield* orgs.delete(params.org_id)
          return orgBody(yield* orgs.close(params.org_id))
        }).pipe(Effect.catchTags({ Rejected, OrgNotFound, RealmNotFound }))
    })
  })
)
