import type { DnsPlan } from "#domain/DnsPlan"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"

/** A domain that no other test uses. */
export const uniqueDomain = (): string => `${uniqueText("acme")}.com`

export const addDomain = (realm: GivenRealm, org_id: string, domain: string): Promise<Reply> =>
  realm.post("/v2/domains", { domain: { org_id, domain } })

export const verify = (realm: GivenRealm, id: string): Promise<Reply> => realm.post(`/v2/domains/${id}/verify`, {})

/** Sets the TXT records of these domains, which all have the same name. */
export const publish = (dns: DnsPlan, ...domains: ReadonlyArray<Reply>): void => {
  const [first] = domains
  if (first !== undefined) {
    dns.set(
      first.string("txt", "name"),
      domains.map((domain) => domain.string("txt", "value"))
    )
  }
}

/** A verified domain, by default of a new org. */
export const verifiedDomain = async (
  realm: GivenRealm,
  dns: DnsPlan,
  { name = uniqueDomain(), org_id }: { readonly name?: string; readonly org_id?: string } = {}
) => {
  const orgId = org_id ?? (await realm.org()).id
  const added = await addDomain(realm, orgId, name)
  publish(dns, added)
  return { orgId, name, domain: await verify(realm, added.id) }
}

/** An event of a domain, in the form that tests compare. */
export const domainEvent = (what: string, domain: Reply, problem?: string) => ({
  event_type: `domain.${what}`,
  org_id: domain.string("org_id"),
  domain: { id: domain.id, name: domain.string("domain"), ...(problem === undefined ? {} : { problem }) }
})

/** State, problem and records of a domain. */
export const stateOf = (domain: Reply) => [
  domain.status,
  domain.member("state"),
  domain.member("problem", "code") ?? null
]
