import { DateTime } from "effect"
import { expect, test, vi } from "vitest"
import { Api } from "#testing/Api"
import { type OwnService, ownService } from "../support/sallyport.ts"

const line = (header: string, end: string) =>
  `127.0.0.1 forwards requests with ${header}, but is not listed in SALLYPORT_TRUSTED_PROXIES: everyone behind it ` +
  `counts as one address and shares its rate limits. If this is your proxy, add it there${end}`

const told = [
  ["X-Forwarded-For", "."],
  ["Forwarded", ", and make it send X-Forwarded-For, because Forwarded is not read."]
] as const

/** The lines about proxies that a service logs meanwhile. */
const loggedBy = async (action: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  try {
    await action()
    return log.mock.calls.map((call) => call.join(" ")).filter((text) => text.includes("SALLYPORT_TRUSTED_PROXIES"))
  } finally {
    log.mockRestore()
  }
}

/** Calls of every kind, each as a proxy would make it. */
const calls = async ({ transport, given }: OwnService, headers: Readonly<Record<string, string>>) => {
  const realm = await given.realm()
  const nobody = new Api(transport, undefined)
  for (const path of ["/healthz", "/nowhere", `/realms/${realm.id}/verify`]) await nobody.call("GET", path, { headers })
  await realm.call("GET", "/v2/users", { headers })
}

const later = ({ clock }: OwnService, millis: number) => DateTime.makeUnsafe(clock.currentTimeMillisUnsafe() + millis)

test.each(
  told
)("SEC-100: a peer of a private network that is not believed, by %s, is told of once an hour", (name, end) =>
  ownService(async (own) => {
    const headers = { [name]: "203.0.113.7" }
    const once = [expect.stringContaining(line(name, end))]
    expect(await loggedBy(() => calls(own, headers))).toEqual(once)
    own.clock.setTo(later(own, 3_599_999))
    expect(await loggedBy(() => calls(own, headers))).toEqual([])
    own.clock.setTo(later(own, 1))
    expect(await loggedBy(() => calls(own, headers))).toEqual(once)
  }))

test("SEC-100: nobody is told of who calls without such a header, or is trusted", async () => {
  const forwarded = { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7" }
  await ownService(async (own) => expect(await loggedBy(() => calls(own, { via: "1.1 proxy" }))).toEqual([]))
  await ownService(async (own) => expect(await loggedBy(() => calls(own, forwarded))).toEqual([]), {
    trustedProxies: ["127.0.0.0/8"]
  })
})
