import { Context, DateTime, Effect, Layer } from "effect"
import { customProblems } from "#domain/Custom"
import { rejectIfAny } from "#domain/KnownProblems"
import type { Org, OrgAttributes } from "#domain/Org"
import { CurrentRealm } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { IdGenerator } from "#platform/IdGenerator"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import type { Change } from "../events/Journal.ts"

/** Validates the attributes of an org. */
export const orgProblems = (attributes: OrgAttributes): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  if (attributes.name !== undefined && nonBlank(attributes.name) === null) problems.push(problem("name", "blank"))
  problems.push(...customProblems(attributes.custom))
  return problems
}

/** Validates the attributes of a new org, which must have a name. */
export const newOrgProblems = (attributes: OrgAttributes) => orgProblems({ ...attributes, name: attributes.name ?? "" })

/** Creates orgs. Used by all operations that create them. */
export class NewOrgs extends Context.Service<
  NewOrgs,
  {
    draft(attributes: OrgAttributes): Effect.Effect<Org, Rejected, CurrentRealm>
    /** Returns the change that creates an org: its insertion and `org.created`. */
    change(org: Org): Change
  }
>()("sallyport/core/NewOrgs") {
  static readonly layer = Layer.effect(
    NewOrgs,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* OrgsRepo

      const draft = Effect.fn("NewOrgs.draft")(function* (attributes: OrgAttributes) {
        const name = attributes.name ?? ""
        yield* rejectIfAny(newOrgProblems(attributes))
        return {
          id: yield* ids.make("org"),
          realmId: (yield* CurrentRealm).id,
          state: attributes.state ?? "active",
          name,
          reference: attributes.reference ?? null,
          custom: attributes.custom ?? {},
          createdAt: yield* DateTime.now
        } satisfies Org
      })

      return NewOrgs.of({
        draft,
        change: (org) => ({ writes: [repo.insertion(org)], events: [{ eventType: "org.created", orgId: org.id }] })
      })
    })
  )
}
