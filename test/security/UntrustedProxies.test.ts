import { expect, test, vi } from "vitest"
import { Api } from "#testing/Api"
import { type OwnService, ownService } from "../support/sallyport.ts"

const expectedMessages = [
  [
    "X-Forwarded-For",
    "A peer that is not a trusted proxy sends X-Forwarded-For, which is ignored: everyone behind it counts as one address " +
      "and shares its rate limits. If it is your proxy, list it in SALLYPORT_TRUSTED_PROXIES."
  ],
  [
    "Forwarded",
    "A peer that is not a trusted proxy sends Forwarded, which is never read: everyone behind it counts as one address " +
      "and shares its rate limits. If it is your proxy, let it send X-Forwarded-For and list it in SALLYPORT_TRUSTED_PROXIES."
  ]
] as const

/** The log lines about proxies during an action. */
const loggedBy = async (action: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  try {
    await action()
    const lines = log.mock.calls.map((call) =>
      call.map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    )
    return lines.map((parts) => parts.join(" ")).filter((text) => text.includes("SALLYPORT_TRUSTED_PROXIES"))
  } finally {
    log.mockRestore()
  }
}

/** Sends requests of every kind with the headers that a proxy would add. */
const sendCalls = async ({ transport, given }: OwnService, headers: Readonly<Record<string, string>>) => {
  const realm = await given.realm()
  const nobody = new Api(transport, undefined)
  for (const path of ["/healthz", "/nowhere", `/realms/${realm.id}/verify`]) await nobody.call("GET", path, { headers })
  await realm.call("GET", "/v2/users", { headers })
}

test.each(
  expectedMessages
)("SEC-100: an untrusted peer that sends %s is logged once with the setting to change", (name, message) =>
  ownService(async (own) => {
    const headers = { [name]: "203.0.113.7" }
    const lines = await loggedBy(() => sendCalls(own, headers))
    expect(lines).toEqual([expect.stringContaining(message)])
    expect(lines[0]).toContain("127.0.0.1")
    await own.advance("2 hours")
    expect(await loggedBy(() => sendCalls(own, headers))).toEqual([])
  }))

test("SEC-100: peers that are trusted or send no forwarding headers are not logged", async () => {
  const forwarded = { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7" }
  await ownService(async (own) => expect(await loggedBy(() => sendCalls(own, { via: "1.1 proxy" }))).toEqual([]))
  await ownService(async (own) => expect(await loggedBy(() => sendCalls(own, forwarded))).toEqual([]), {
    trustedProxies: ["127.0.0.0/8"]
  })
})
