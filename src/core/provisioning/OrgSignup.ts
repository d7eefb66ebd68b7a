import { Context, Effect, Layer } from "effect"
import type { Org } from "#domain/Org"
import type { CurrentRealm } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { User } from "#domain/User"
import type { NewEvent } from "../events/Journal.ts"
import { NewMemberships } from "./NewMemberships.ts"
import { NewOrgs } from "./NewOrgs.ts"

/** What whoever founds an org may do in it. */
const FOUNDER = ["ar:owner"]

/** Orgs that people found as they sign up (decision 41, `user_org`). */
export class OrgSignup extends Context.Service<
  OrgSignup,
  {
    /** An org to be; without a name it is called after its founder. */
    draft(name: string | null, founder: User): Effect.Effect<Org, Rejected, CurrentRealm>
    /** Inserts it with its founder, inside the transaction that makes them: `org.created`, `membership.created`. */
    found(org: Org, founder: User): Effect.Effect<ReadonlyArray<NewEvent>, Rejected, CurrentRealm>
  }
>()("sallyport/core/OrgSignup") {
  static readonly layer = Layer.effect(
    OrgSignup,
    Effect.gen(function* () {
      const newOrgs = yield* NewOrgs
      const joining = yield* NewMemberships
      return OrgSignup.of({
        draft: (name, { name: own }) => newOrgs.draft({ name: presence(name)?.trim() ?? own }),
        found: Effect.fnUntraced(function* (org, { id }) {
          const made = yield* newOrgs.insert(org)
          const joined = yield* joining.join({ userIds: [id], orgs: [org], permissions: FOUNDER })
          return [...made, ...joined.happenings]
        })
      })
    })
  )
}
