import { Effect } from "effect"
import { values } from "#api/Wire"
import type { OrgCreation } from "#core/orgs/Orgs"
import type { NewUser } from "#core/provisioning/NewUsers"
import { parsePermissions } from "#domain/Permission"
import type { Rejected } from "#domain/Rejected"
import { type OrgPayload, orgAttributesOf } from "../provisioning/NewOrgs.ts"
import { mergeParameter } from "../WireMapping.ts"

/** What may be asked for with a new org: inside the wrapper or beside it (decision 7). */
interface Extras<User> {
  readonly user?: User | null
  readonly user_ids?: ReadonlyArray<string> | null
  readonly permissions?: ReadonlyArray<string> | null
}

/** A new org as it comes in, with a user who is made alongside as a version has it. */
export type NewOrgPayload<User> = Extras<User> & { readonly org: OrgPayload & Extras<User> }

/** A new org as a caller sent it; `newUser` reads a user who is created with it. */
export const orgCreationOf = Effect.fnUntraced(function* <User>(
  payload: NewOrgPayload<User>,
  newUser: (sent: User) => Effect.Effect<NewUser, Rejected>
): Effect.fn.Return<OrgCreation, Rejected> {
  const { org: asked } = payload
  const user = yield* mergeParameter("user", asked.user, payload.user)
  const userIds = yield* mergeParameter("user_ids", asked.user_ids, payload.user_ids)
  const permissions = yield* mergeParameter("permissions", asked.permissions, payload.permissions)
  return {
    attributes: orgAttributesOf(asked),
    user: user === undefined ? undefined : yield* newUser(user),
    userIds: values(userIds),
    permissions: parsePermissions(permissions ?? [])
  }
})
