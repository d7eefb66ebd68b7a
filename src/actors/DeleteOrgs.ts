import { Effect } from "effect"
import { Journal } from "#core/events/Journal"
import { membershipEvent } from "#core/provisioning/NewMemberships"
import { RequestOrigin } from "#domain/Event"
import { CurrentActor } from "#domain/EventActor"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgDeletionsRepo } from "#store/orgs/OrgDeletionsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { BATCH, type Job } from "./Actor.ts"

/**
 * Deletes the remaining memberships of deleted orgs in batches, and then the orgs. Records `membership.deleted` for each
 * membership, with the actor and origin of the org's deletion.
 */
export const DeleteOrgs = Effect.gen(function* () {
  const repo = yield* OrgDeletionsRepo
  const orgs = yield* OrgsRepo
  const memberships = yield* MembershipsRepo
  const journal = yield* Journal
  const transaction = yield* Transaction

  const batch = Effect.gen(function* () {
    const deletion = yield* repo.claim
    if (deletion === undefined) return 0
    const { realmId, orgId, actor, requestIp: ip, requestClient: client } = deletion
    const deleted = yield* memberships.deleteSomeOfOrg(realmId, orgId, BATCH)
    const events = deleted.map((membership) => membershipEvent("membership.deleted", membership))
    // If the realm was deleted after the claim, the batch is rolled back, because deleted realms record no events.
    yield* journal
      .recordIn(realmId, events)
      .pipe(
        Effect.provideService(CurrentActor, { actor }),
        Effect.provideService(RequestOrigin, { ip, client }),
        Effect.orDie
      )
    if (!(yield* orgs.delete(realmId, orgId))) yield* repo.endTurn(deletion)
    return deleted.length + 1
  })

  const job: Job = { name: "DeleteOrgs", batch: transaction.run(batch), nextDue: repo.nextDue }
  return job
})
