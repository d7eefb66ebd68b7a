import { Context, DateTime, Effect, Layer } from "effect"
import { type DomainProblem, type DomainProof, proofOf } from "#domain/DomainProof"
import { foldedDomain } from "#domain/Email"
import { isId, type OrgDomainId, type OrgId, type RealmId } from "#domain/Ids"
import type { RateLimited } from "#domain/Limit"
import type { Org } from "#domain/Org"
import {
  afterCheck,
  lost,
  MAX_DOMAINS_PER_ORG,
  newDomain,
  type OrgDomain,
  OrgDomainNotFound,
  recordOf
} from "#domain/OrgDomain"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId, isBeingReset } from "#domain/RealmReset"
import { Rejected, rejection } from "#domain/Rejected"
import { Dns } from "#platform/Dns"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { registrability } from "#platform/PublicSuffix"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { type OrgDomainFilter, OrgDomainsRepo } from "#store/orgs/OrgDomainsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { RateLimits } from "../limits/RateLimits.ts"

/** Makes an event about a domain. `problem`: why it is not proved. */
export const domainEvent = (
  what: "check_failed" | "created" | "deleted" | "lost" | "recovered" | "verified",
  { id, orgId, domain }: OrgDomain,
  problem?: DomainProblem | null
): NewEvent => ({
  eventType: `domain.${what}`,
  orgId,
  details: { domain: { id, name: domain, ...(problem === undefined || problem === null ? {} : { problem }) } }
})

/** How long a node may take for the checks that it has claimed. After that, another node repeats them. */
const LEASE_MINUTES = 10

/** The maximum number of domains to check at a time, of all realms and of one. A batch takes 8 seconds at most. */
const BATCH = { all: 200, perRealm: 20 }
const CONCURRENCY = 50

/** Manages the email domains of orgs, which prove them by a TXT record (C309). */
export class OrgDomains extends Context.Service<
  OrgDomains,
  {
    get(id: string): Effect.Effect<OrgDomain, OrgDomainNotFound, CurrentRealm>
    list(filter: OrgDomainFilter, page: PageOf<"id">): Effect.Effect<Page<OrgDomain>, OrgDomainNotFound, CurrentRealm>
    /** Adds a domain to an org that is not closed. Records `domain.created`. */
    create(orgId: string, domain: string): Effect.Effect<OrgDomain, RealmNotFound | Rejected, CurrentRealm>
    /** Looks up the domain's record now. Records the same events as the daily check. */
    verify(id: string): Effect.Effect<OrgDomain, OrgDomainNotFound | RealmNotFound | RateLimited, CurrentRealm>
    /** Deletes a domain. Records `domain.deleted`. */
    delete(id: string): Effect.Effect<void, OrgDomainNotFound | RealmNotFound, CurrentRealm>
    /** The org that owns the domain of an address, or undefined. `domain` may have any form that people type. */
    verifiedOrgOf(domain: string): Effect.Effect<OrgId | undefined, never, CurrentRealm>
    /** The domains of an org, by name. Only those in the state `verified` belong to it. */
    domainsOf(org: Pick<Org, "id">): Effect.Effect<ReadonlyArray<OrgDomain>, never, CurrentRealm>
    /**
     * Checks the verified domains whose daily check is due. Returns the number of checks. Records `domain.check_failed`,
     * `domain.recovered` or `domain.lost` if something changed.
     */
    readonly checkDue: Effect.Effect<number>
  }
>()("sallyport/core/OrgDomains") {
  static readonly layer = Layer.effect(
    OrgDomains,
    Effect.gen(function* () {
      const dns = yield* Dns
      const entropy = yield* Entropy
      const ids = yield* IdGenerator
      const journal = yield* Journal
      const orgs = yield* OrgsRepo
      const rateLimits = yield* RateLimits
      const repo = yield* OrgDomainsRepo
      const transaction = yield* Transaction

      const get = Effect.fn("OrgDomains.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const isFindable = isId("orgDomain", id) && !isBeingReset(realm.pendingReset, "orgDomain", id)
        const found = isFindable ? yield* repo.find(realm.id, id) : undefined
        return found ?? (yield* new OrgDomainNotFound({ id }))
      })

      const list = Effect.fn("OrgDomains.list")(function* (filter: OrgDomainFilter, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "orgDomain", get)
        const query = { ...filter, from: firstRetainedId(realm.pendingReset, "orgDomain") }
        return pageOf(yield* repo.list(realm.id, query, page), page.maxResults)
      })

      const create = Effect.fn("OrgDomains.create")(function* (orgId: string, typed: string) {
        const realm = yield* CurrentRealm
        const domain = newDomain(typed, registrability)
        const problems = typeof domain === "string" ? [] : [domain]
        return yield* transaction.run(
          Effect.gen(function* () {
            // The lock makes other requests for the same org wait, so that the maximum holds.
            const org = isId("org", orgId) ? yield* orgs.findForUpdate(realm.id, orgId) : undefined
            if (org === undefined) return yield* rejection("org_id", "unknown")
            if (org.state === "closed") return yield* rejection("org_id", "closed")
            if (typeof domain !== "string") return yield* new Rejected({ problems })
            const others = yield* repo.ofOrg(realm.id, org.id)
            if (others.some((other) => other.domain === domain)) return yield* rejection("domain", "taken")
            if (others.length >= MAX_DOMAINS_PER_ORG) {
              return yield* rejection(null, "too_many_domains", { most: MAX_DOMAINS_PER_ORG })
            }
            const created: OrgDomain = {
              id: yield* ids.make("orgDomain"),
              realmId: realm.id,
              orgId: org.id,
              domain,
              state: "pending",
              token: randomSecret(entropy),
              problem: null,
              found: [],
              createdAt: yield* DateTime.now,
              verifiedAt: null,
              checkedAt: null,
              checkAt: null,
              missedSince: null
            }
            yield* repo.insert(created)
            yield* journal.record([domainEvent("created", created)])
            return created
          })
        )
      })

      const proofFor = (domain: OrgDomain) => {
        const { name, value } = recordOf(domain)
        return Effect.map(dns.txt(name), (answers) => proofOf(value, answers))
      }

      /**
       * Decides between the org that proved the domain and its owner. The owner keeps the domain as long as its own record exists.
       * Returns the owner that loses it, or undefined. Fails if the owner keeps it.
       */
      const displaced = (
        before: OrgDomain,
        proof: DomainProof,
        same: ReadonlyArray<OrgDomain>
      ): { readonly proof: DomainProof; readonly loser: OrgDomain | undefined } => {
        const owner = same.find(({ id, state }) => id !== before.id && state === "verified")
        if (proof._tag === "Unproved" || owner === undefined) return { proof, loser: undefined }
        return proof.values.includes(recordOf(owner).value)
          ? { proof: { _tag: "Unproved", problem: "held", found: [] }, loser: undefined }
          : { proof, loser: owner }
      }

      /** Stores the result of a lookup, with its events. Returns undefined if the domain was deleted meanwhile. */
      const settle = Effect.fnUntraced(function* (
        realmId: RealmId,
        id: OrgDomainId,
        domain: string,
        looked: DomainProof
      ) {
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const same = yield* repo.lockSame(realmId, domain)
            const before = same.find((one) => one.id === id)
            if (before === undefined) return undefined
            const { proof, loser } = displaced(before, looked, same)
            const [after, outcome] = afterCheck(before, proof, now)
            const events: Array<NewEvent> = []
            if (loser !== undefined) {
              yield* repo.update(lost(loser, "replaced", now))
              events.push(domainEvent("lost", loser, "replaced"))
            }
            yield* repo.update(after)
            if (outcome !== "unchanged") events.push(domainEvent(outcome, after, after.problem))
            if (events.length > 0) yield* journal.recordIn(realmId, events)
            return after
          })
        )
      })

      const verify = Effect.fn("OrgDomains.verify")(function* (id: string) {
        const realm = yield* CurrentRealm
        const before = yield* get(id)
        yield* rateLimits.take("domain_checks", realm.id, realm.limits)
        // Nothing waits for DNS inside a transaction.
        const after = yield* settle(realm.id, before.id, before.domain, yield* proofFor(before))
        return after ?? (yield* new OrgDomainNotFound({ id }))
      })

      const remove = Effect.fn("OrgDomains.delete")(function* (id: string) {
        const realm = yield* CurrentRealm
        yield* transaction.run(
          Effect.gen(function* () {
            const { id: domainId } = yield* get(id)
            const deleted = yield* repo.delete(realm.id, domainId)
            if (deleted === undefined) return yield* new OrgDomainNotFound({ id })
            return yield* journal.record([domainEvent("deleted", deleted)])
          })
        )
      })

      const verifiedOrgOf = Effect.fn("OrgDomains.verifiedOrgOf")(function* (typed: string) {
        const realm = yield* CurrentRealm
        const domain = foldedDomain(typed)
        const found = domain === undefined ? undefined : yield* repo.findVerified(realm.id, domain)
        return found === undefined || isBeingReset(realm.pendingReset, "org", found.orgId) ? undefined : found.orgId
      })

      const checkDue = Effect.gen(function* () {
        const now = yield* DateTime.now
        const due = yield* repo.claimDue(now, DateTime.add(now, { minutes: LEASE_MINUTES }), BATCH)
        yield* Effect.forEach(
          due,
          (domain) =>
            Effect.flatMap(proofFor(domain), (proof) => settle(domain.realmId, domain.id, domain.domain, proof)).pipe(
              // The realm was deleted meanwhile, and its domains with it.
              Effect.catchTag("RealmNotFound", () => Effect.void)
            ),
          { concurrency: CONCURRENCY, discard: true }
        )
        return due.length
      })

      return OrgDomains.of({
        get,
        list,
        create,
        verify,
        delete: remove,
        verifiedOrgOf,
        domainsOf: (org) => Effect.flatMap(CurrentRealm, (realm) => repo.ofOrg(realm.id, org.id)),
        checkDue
      })
    })
  )
}
