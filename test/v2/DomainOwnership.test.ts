import { expect, test } from "vitest"
import { addDomain, domainEvent, publish, stateOf, uniqueDomain, verifiedDomain, verify } from "../support/domains.ts"
import { newRealm, service } from "../support/sallyport.ts"

test("SEC-292: a pending domain of one org doesn't keep another org from proving it", async () => {
  const [{ dns }, realm] = [await service(), await newRealm()]
  const name = uniqueDomain()
  const squatted = await addDomain(realm, (await realm.org()).id, name)
  const { domain } = await verifiedDomain(realm, dns, { name })
  expect(stateOf(domain)).toEqual([200, "verified", null])
  expect(stateOf(await verify(realm, squatted.id))).toEqual([200, "pending", "wrong_value"])
})

test("SEC-293: a second org proves a domain only when the first org's record is gone, and both are told", async () => {
  const [{ dns }, realm] = [await service(), await newRealm()]
  const { domain: first, name } = await verifiedDomain(realm, dns)
  const second = await addDomain(realm, (await realm.org()).id, name)
  expect(stateOf(await verify(realm, second.id))).toEqual([200, "pending", "wrong_value"])

  publish(dns, second, first)
  const held = await realm.seen.during(() => verify(realm, second.id))
  expect([...stateOf(held.result), held.events]).toEqual([200, "pending", "held", []])
  expect(held.result.member("problem", "message")).not.toContain(first.string("org_id"))

  publish(dns, second)
  const won = await realm.seen.during(() => verify(realm, second.id))
  expect(stateOf(won.result)).toEqual([200, "verified", null])
  expect(won.events).toEqual([domainEvent("lost", first, "replaced"), domainEvent("verified", second)])
  const lost = await realm.get(`/v2/domains/${first.id}`)
  expect([...stateOf(lost), lost.member("next_check_at")]).toEqual([200, "lost", "replaced", null])
})

test("SEC-292: nothing tells an org without the record whether another org owns the domain", async () => {
  const [{ dns }, realm] = [await service(), await newRealm()]
  const { name } = await verifiedDomain(realm, dns)
  const free = uniqueDomain()
  dns.set(`_sallyport.${free}`, ["v=spf1 -all"])
  dns.set(`_sallyport.${name}`, ["v=spf1 -all"])
  const org = await realm.org()
  const seen = []
  for (const domain of [name, free]) {
    const added = await addDomain(realm, org.id, domain)
    const { status, body } = await verify(realm, added.id)
    const text = JSON.stringify(body).replaceAll(domain, "…")
    seen.push([status, text.replaceAll(/dom_\w+|=[\w-]{43}/g, "")])
  }
  expect(seen[0]).toEqual(seen[1])
})

test("verifies a domain for only one of two orgs that check it at the same time", async () => {
  const [{ dns }, realm] = [await service(), await newRealm()]
  const name = uniqueDomain()
  const [one, two] = [
    await addDomain(realm, (await realm.org()).id, name),
    await addDomain(realm, (await realm.org()).id, name)
  ]
  publish(dns, one, two)
  const replies = await Promise.all([one, two, one, two].map(({ id }) => verify(realm, id)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const states = (await realm.get("/v2/domains")).items.map(({ state }) => state)
  expect(states.toSorted()).toEqual(["pending", "verified"])
})
