import { Context, Effect, Layer } from "effect"
import type { Org } from "#domain/Org"
import type { CurrentRealm } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { User } from "#domain/User"
import type { NewEvent } from "../events/Journal.ts"
import { NewMemberships } from "./NewMemberships.ts"
import { NewOrgs } from "./NewOrgs.ts"

/** The permissions of the user who creates an org. */
const FOUNDER_PERMISSIONS = ["ar:owner"]

/** Creates an org at sign-up (C41, `user_org`). */
export class OrgSignup extends Context.Service<
  OrgSignup,
  {
    /** Drafts an org. Without a name, it is named after its founder. */
    draft(name: string | null, founder: User): Effect.Effect<Org, Rejected, CurrentRealm>
    /**
     * Inserts the org and the founder's membership, inside the transaction of the sign-up. Returns `org.created` and
     * `membership.created` to record.
     */
    found(org: Org, founder: User): Effect.Effect<ReadonlyArray<NewEvent>, Rejected, CurrentRealm>
  }
>()("sallyport/core/OrgSignup") {
  static readonly layer = Layer.effect(
    OrgSignup,
    Effect.gen(function* () {
      const newOrgs = yield* NewOrgs
      const newMemberships = yield* NewMemberships
      return OrgSignup.of({
        draft: (name, { name: founderName }) => newOrgs.draft({ name: presence(name)?.trim() ?? founderName }),
        found: Effect.fnUntraced(function* (org, { id }) {
          const orgEvents = yield* newOrgs.insert(org)
          const memberships = yield* newMemberships.join({
            userIds: [id],
            orgs: [org],
            permissions: FOUNDER_PERMISSIONS
          })
          return [...orgEvents, ...memberships.events]
        })
      })
    })
  )
}
