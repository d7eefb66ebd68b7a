import { Context, DateTime, Effect, Layer } from "effect"
import { customProblem } from "#domain/Custom"
import type { Org, OrgAttributes } from "#domain/Org"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import { IdGenerator } from "#platform/IdGenerator"
import { OrgsRepo } from "#store/OrgsRepo"
import type { NewEvent } from "../events/Journal.ts"

/** What is wrong with the attributes given of an org. */
export const orgProblems = (given: OrgAttributes): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  if (given.name !== undefined && presence(given.name) === null) problems.push(problem("name", "blank"))
  const wrongCustom = given.custom === undefined ? undefined : customProblem(given.custom)
  if (wrongCustom !== undefined) problems.push(problem("custom", wrongCustom))
  return problems
}

/** The making of orgs, for all operations that make one. */
export class NewOrgs extends Context.Service<
  NewOrgs,
  {
    draft(given: OrgAttributes): Effect.Effect<Org, Rejected, CurrentRealm>
    /** Inserts a draft. The event to record with it: `org.created`. */
    insert(org: Org): Effect.Effect<ReadonlyArray<NewEvent>>
  }
>()("sallyport/core/NewOrgs") {
  static readonly layer = Layer.effect(
    NewOrgs,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* OrgsRepo

      const draft = Effect.fn("NewOrgs.draft")(function* (given: OrgAttributes) {
        const name = given.name ?? ""
        const problems = orgProblems({ ...given, name })
        if (problems.length > 0) return yield* new Rejected({ problems })
        return {
          id: yield* ids.make("org"),
          realmId: (yield* CurrentRealm).id,
          state: given.state ?? "active",
          name,
          reference: given.reference ?? null,
          custom: given.custom ?? {},
          createdAt: yield* DateTime.now
        } satisfies Org
      })

      return NewOrgs.of({
        draft,
        insert: (org) => Effect.as(repo.insert(org), [{ eventType: "org.created", orgId: org.id }])
      })
    })
  )
}
