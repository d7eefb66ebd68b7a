import { Effect, type Schema } from "effect"
import type { orgFields } from "#api/nested/OrgFieldsV2"
import { values } from "#api/Wire"
import type { OrgCreation } from "#core/orgs/Orgs"
import type { NewUser } from "#core/provisioning/NewUsers"
import type { OrgAttributes } from "#domain/Org"
import { parsePermissions } from "#domain/Permission"
import type { Rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import { either, given } from "../WireMapping.ts"

type Sent = Schema.Struct<typeof orgFields>["Type"]

/** What may be asked for with a new org: inside the wrapper or beside it (decision 7). */
interface Extras<User> {
  readonly user?: User | null
  readonly user_ids?: ReadonlyArray<string> | null
  readonly permissions?: ReadonlyArray<string> | null
}

/** A new org as it comes in, with a user who is made alongside as a version has it. */
export type NewOrgSent<User> = Extras<User> & { readonly org: Sent & Extras<User> }

/** The attributes a caller sent of an org. */
export const orgAttributesOf = (sent: Sent): OrgAttributes =>
  given({
    state: sent.state,
    name: sent.name === null ? "" : sent.name,
    reference: sent.reference === undefined ? undefined : presence(sent.reference),
    custom: sent.custom === null ? {} : sent.custom
  })

/** A new org as a caller sent it; `newUser` reads a user who is made alongside. */
export const orgCreationOf = Effect.fnUntraced(function* <User>(
  payload: NewOrgSent<User>,
  newUser: (sent: User) => Effect.Effect<NewUser, Rejected>
): Effect.fn.Return<OrgCreation, Rejected> {
  const { org: asked } = payload
  const user = yield* either("user", asked.user, payload.user)
  const userIds = yield* either("user_ids", asked.user_ids, payload.user_ids)
  const permissions = yield* either("permissions", asked.permissions, payload.permissions)
  return {
    attributes: orgAttributesOf(asked),
    user: user === undefined ? undefined : yield* newUser(user),
    userIds: values(userIds),
    permissions: parsePermissions(permissions ?? [])
  }
})
