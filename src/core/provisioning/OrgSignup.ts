import { Context, Effect, Layer } from "effect"
import type { Org } from "#domain/Org"
import type { CurrentRealm } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { User } from "#domain/User"
import type { Change } from "../events/Journal.ts"
import { NewMemberships } from "./NewMemberships.ts"
import { NewOrgs } from "./NewOrgs.ts"

/** The permissions of the user who creates an org. */
const FOUNDER_PERMISSIONS = ["ar:owner"]

/** Creates an org at signup (C41, `user_org`). */
export class OrgSignup extends Context.Service<
  OrgSignup,
  {
    /** Drafts an org. An org without a name is named after its founder. */
    draft(name: string | null, founder: User): Effect.Effect<Org, Rejected, CurrentRealm>
    /**
     * Returns the changes that create the org and the founder's membership. The founder must exist already, or be inserted
     * first.
     */
    changes(org: Org, founder: User): Effect.Effect<ReadonlyArray<Change<Rejected>>, Rejected, CurrentRealm>
  }
>()("sallyport/core/OrgSignup") {
  static readonly layer = Layer.effect(
    OrgSignup,
    Effect.gen(function* () {
      const newOrgs = yield* NewOrgs
      const newMemberships = yield* NewMemberships
      return OrgSignup.of({
        draft: (name, { name: founderName }) => newOrgs.draft({ name: nonBlank(name)?.trim() ?? founderName }),
        changes: Effect.fnUntraced(function* (org, { id }) {
          const memberships = yield* newMemberships.change({
            userIds: [id],
            orgs: [org],
            permissions: FOUNDER_PERMISSIONS
          })
          return [newOrgs.change(org), memberships]
        })
      })
    })
  )
}
