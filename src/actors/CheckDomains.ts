import { Effect } from "effect"
import { OrgDomains } from "#core/orgs/OrgDomains"
import { OrgDomainsRepo } from "#store/orgs/OrgDomainsRepo"
import type { Job } from "./Actor.ts"

/** Looks up the records of verified domains once a day. */
export const CheckDomains = Effect.gen(function* () {
  const domains = yield* OrgDomains
  const repo = yield* OrgDomainsRepo
  const job: Job = { name: "CheckDomains", batch: domains.checkDue, nextDue: repo.nextDue }
  return job
})
