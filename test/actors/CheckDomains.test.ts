import { expect, test } from "vitest"
import { domainEvent, publish, stateOf, verifiedDomain, verify } from "../support/domains.ts"
import { clockedService } from "../support/sallyport.ts"

test("SEC-293: keeps a domain through six days without its record, and loses it after seven", async () => {
  const { dns, given, advance } = await clockedService()
  const realm = await given.realm()
  const { domain, name } = await verifiedDomain(realm, dns)
  const record = `_sallyport.${name}`
  const current = () => realm.get(`/v2/domains/${domain.id}`)

  const quiet = await realm.seen.during(() => advance("24 hours"))
  expect([stateOf(await current()), quiet.events]).toEqual([[200, "verified", null], []])

  dns.set(record, ["other"])
  const missed = await realm.seen.during(() => advance("24 hours"))
  expect(missed.events).toEqual([domainEvent("check_failed", domain, "wrong_value")])
  const since = (await current()).member("missed_since")
  expect(since).toBe((await current()).member("checked_at"))
  const further = await realm.seen.during(() => advance("6 days"))
  expect([...stateOf(await current()), further.events]).toEqual([200, "verified", "wrong_value", []])

  const lost = await realm.seen.during(() => advance("1 day"))
  expect(lost.events).toEqual([domainEvent("lost", domain, "wrong_value")])
  const after = await current()
  expect([...stateOf(after), after.member("missed_since"), after.member("next_check_at")]).toEqual([
    200,
    "lost",
    "wrong_value",
    since,
    null
  ])
  publish(dns, domain)
  expect((await realm.seen.during(() => advance("2 days"))).events).toEqual([])
  const again = await realm.seen.during(() => verify(realm, domain.id))
  expect([stateOf(again.result), again.events]).toEqual([[200, "verified", null], [domainEvent("verified", domain)]])
})

test("starts the seven days anew after a check that succeeded", async () => {
  const { dns, given, advance } = await clockedService()
  const realm = await given.realm()
  const { domain, name } = await verifiedDomain(realm, dns)
  dns.set(`_sallyport.${name}`, [])
  await advance("6 days")
  publish(dns, domain)
  const { events } = await realm.seen.during(() => advance("1 day"))
  expect(events).toEqual([domainEvent("recovered", domain)])
  dns.set(`_sallyport.${name}`, [])
  await advance("6 days")
  expect(stateOf(await realm.get(`/v2/domains/${domain.id}`))).toEqual([200, "verified", "no_record"])
})

test.each(["timeout", "servfail"] as const)("never loses a domain to a failure of DNS (%s)", async (failure) => {
  const { dns, given, advance } = await clockedService()
  const realm = await given.realm()
  const { domain, name } = await verifiedDomain(realm, dns)
  dns.set(`_sallyport.${name}`, [], failure)
  const { events } = await realm.seen.during(() => advance("9 days"))
  expect(events).toEqual([domainEvent("check_failed", domain, failure)])
  const after = await realm.get(`/v2/domains/${domain.id}`)
  expect([...stateOf(after), after.member("missed_since")]).toEqual([200, "verified", failure, null])
})

test("names the job as the actor of the events of the daily check", async () => {
  const { dns, given, advance } = await clockedService()
  const realm = await given.realm()
  const { name } = await verifiedDomain(realm, dns)
  dns.set(`_sallyport.${name}`, [])
  await advance("24 hours")
  const [event] = (await realm.get("/v2/events?event_type=domain.check_failed")).items
  expect(event?.["actor"]).toEqual({ type: "system", id: "CheckDomains" })
  expect((await realm.get("/v2/events?event_type=domain.check_failed&result=failed")).items).toHaveLength(1)
  expect((await realm.get("/v1/events?event_type=domain.check_failed")).items).toEqual([])
})
