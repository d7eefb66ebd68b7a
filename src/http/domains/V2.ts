import { Effect } from "effect"
import { Api } from "#api/Api"
import type { DomainBody } from "#api/domains/V2"
import { formatMessage } from "#api/Messages"
import { OrgDomains } from "#core/orgs/OrgDomains"
import { type OrgDomain, recordOf } from "#domain/OrgDomain"
import { problem } from "#domain/Rejected"
import { CurrentRequestContext, type RequestContext } from "#platform/RequestContext"
import { wireErrors } from "../Errors.ts"
import { catalogueOf } from "../MessageCatalogue.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, requestedPage, timeT, timeTOrNull } from "../WireMapping.ts"

const problemBody = (domain: OrgDomain, context: RequestContext): (typeof DomainBody.Type)["problem"] => {
  if (domain.problem === null) return null
  const params = { name: recordOf(domain).name, found: domain.found.join(", ") }
  const message = formatMessage(catalogueOf(context), problem(null, `domain_${domain.problem}`, params))
  return { code: domain.problem, message, found: domain.found }
}

const bodyIn =
  (context: RequestContext) =>
  (domain: OrgDomain): typeof DomainBody.Type => ({
    id: domain.id,
    object: "domain",
    realm_id: domain.realmId,
    org_id: domain.orgId,
    domain: domain.domain,
    state: domain.state,
    txt: recordOf(domain),
    created_at: timeT(domain.createdAt),
    verified_at: timeTOrNull(domain.verifiedAt),
    checked_at: timeTOrNull(domain.checkedAt),
    next_check_at: timeTOrNull(domain.checkAt),
    missed_since: timeTOrNull(domain.missedSince),
    problem: problemBody(domain, context)
  })

const domainBody = (domain: OrgDomain) => Effect.map(CurrentRequestContext, (context) => bodyIn(context)(domain))

/** `/v2/domains` */
export const DomainsHandlersV2 = handlerGroup(
  Api,
  "v2.domains",
  Effect.fn(function* (handlers) {
    const domains = yield* OrgDomains
    const { OrgDomainNotFound, RateLimited, RealmNotFound, Rejected } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(CurrentRequestContext, (context) =>
          domains
            .list({ orgId: query.org_id, state: query.state }, requestedPage(query, "id"))
            .pipe(Effect.flatMap(linkedBody(bodyIn(context))))
        ).pipe(Effect.catchTags({ OrgDomainNotFound })),
      get: ({ params }) =>
        domains.get(params.domain_id).pipe(Effect.flatMap(domainBody), Effect.catchTags({ OrgDomainNotFound })),
      create: ({ payload }) =>
        domains
          .create(payload.domain.org_id, payload.domain.domain)
          .pipe(Effect.flatMap(domainBody), Effect.catchTags({ RealmNotFound, Rejected })),
      verify: ({ params }) =>
        domains
          .verify(params.domain_id)
          .pipe(Effect.flatMap(domainBody), Effect.catchTags({ OrgDomainNotFound, RateLimited, RealmNotFound })),
      delete: ({ params }) =>
        domains.delete(params.domain_id).pipe(Effect.catchTags({ OrgDomainNotFound, RealmNotFound }))
    })
  })
)
