import { Effect } from "effect"
import type { Remote } from "../Remote.ts"
import type { ClaimedValues } from "./ClaimedValues.ts"
import type { ImportResponse } from "./ImportCall.ts"
import { SeenReferences } from "./SeenReferences.ts"

/** The maximum number of items on a page. */
const PAGE = 1_000

/**
 * Corrects the results of a dry run. Its calls write nothing, so the service can't compare rows across calls. This
 * checks rows against those of earlier calls, and counts an org that appears in several calls only once (C118).
 */
export const makeDryRun = ({ read }: Pick<Remote, "read">, values: ClaimedValues) => {
  /** The references of the realm's orgs, loaded when needed. */
  let known: SeenReferences | undefined

  const orgsOf = (realmId: string) =>
    read(async (sallyport, options) => {
      const references = new SeenReferences()
      const orgs = sallyport.orgs.list({ realm_id: realmId, sort: "id", max_results: PAGE }, options)
      for await (const { reference } of orgs) if (reference !== null) references.add(reference, 1)
      return references
    })

  /** Returns the summary of a call without the orgs that earlier calls already counted. */
  return Effect.fnUntraced(function* ({ summary }: Pick<ImportResponse, "summary">) {
    const { realm_id: realmId, orgs_created: orgs } = summary
    if (!values.isEnforced) {
      const realm = yield* read((sallyport, options) => sallyport.realms.get(realmId, {}, options))
      values.enforce({ emails: realm.require_unique_emails })
    }
    const repeated = values.repeatedOrgs
    if (repeated.length === 0) return summary
    const existing = (known ??= yield* orgsOf(realmId))
    const again = repeated.filter((reference) => existing.lineOf(reference) === undefined)
    return { ...summary, orgs_created: orgs - again.length }
  })
}
