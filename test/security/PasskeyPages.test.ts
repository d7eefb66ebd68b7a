import { describe, expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import { userEvent as event } from "../support/logins.ts"
import { statusAndHeading, visibleText } from "../support/pages.ts"
import { authenticatorResponse, createPasskey, passkeyOptionsOn } from "../support/passkeyPages.ts"
import { clockedService, newRealm } from "../support/sallyport.ts"
import { onProfilePage, Visitor, visitorAtApp } from "../support/visitor.ts"

const PROOF = ["/login", { next: "passkey", way: "login", why: "proof" }]

const redirectTarget = ({ leads }: Visitor) => [leads.pathname, Object.fromEntries(leads.searchParams)]

describe("SEC-120: tricking a victim into enrolling an attacker's passkey", () => {
  test("fails if the attacker started the enrollment", async () => {
    const realm = await newRealm()
    const [attacker, victim] = [await onProfilePage(realm), await onProfilePage(realm)]
    await attacker.visitor.open("/passkey")
    const device = new Authenticator()
    const forged = authenticatorResponse(device, passkeyOptionsOn(attacker.visitor), { origin: victim.origin })
    const { result, events } = await realm.seen.during(() =>
      victim.visitor.send("/passkey", { way: "create", ...forged })
    )
    expect([result.status, events]).toEqual([422, []])
    expect(visibleText(result)).toContain("This took too long. Try again.")
    // The attacker can't finish the enrollment either.
    const own = await realm.seen.during(() => attacker.visitor.send("/passkey", { way: "create", ...forged }))
    expect([own.result.status, own.events]).toEqual([422, []])
  })

  test("fails from another site, which can't submit the form or log the victim in", async () => {
    const realm = await newRealm()
    const [attacker, victim] = [await onProfilePage(realm), await onProfilePage(realm)]
    const device = new Authenticator()
    await createPasskey(attacker.visitor, device)
    await victim.visitor.open("/passkey")
    const answer = authenticatorResponse(new Authenticator(), passkeyOptionsOn(victim.visitor), {
      origin: victim.origin
    })
    const evil = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
    const events = await realm.seen.caused(async () => {
      for (const [page, way] of [
        ["/passkey", "create"],
        ["/login", "passkey"]
      ] as const) {
        const reply = await victim.visitor.send(page, { way, ...answer }, evil)
        expect([...statusAndHeading(reply), reply.headers.getSetCookie()]).toEqual([
          403,
          "This request came from another site",
          []
        ])
      }
    })
    expect(events).toEqual([])
  })
})

test("SEC-236: the page rejects malformed attestation objects, whether or not attestation is requested", async () => {
  for (const attestation of ["none", "direct"]) {
    const realm = await newRealm()
    await realm.put("/v2/auth_providers/passkey", { auth_provider: { attestation } })
    const { visitor, origin } = await onProfilePage(realm)
    await visitor.open("/passkey")
    const { response, ...answer } = authenticatorResponse(new Authenticator(), passkeyOptionsOn(visitor), { origin })
    const { events } = await realm.seen.during(async () => {
      for (const attestationObject of ["AA", "YWE", "gA", "9Q", "9g", "oA"]) {
        const sent = JSON.parse(response)
        const wrong = JSON.stringify({ ...sent, response: { ...sent.response, attestationObject } })
        const reply = await visitor.send("/passkey", { way: "create", ...answer, response: wrong })
        expect(reply.status).toBe(422)
        expect(visibleText(reply)).toContain("The passkey's response is not valid for this challenge.")
      }
    })
    expect(events).toEqual([])
  }
})

describe("SEC-121: a session older than ten minutes", () => {
  test("can't start or finish an enrollment or remove a passkey", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const { visitor, user } = await onProfilePage(realm)
    const device = new Authenticator()
    expect(await realm.seen.caused(() => createPasskey(visitor, device))).toEqual([event(user, "updated")])
    await visitor.open("/security")
    const removal = visitor.form("Remove passkey").values
    await visitor.open("/passkey")
    const late = authenticatorResponse(new Authenticator(), passkeyOptionsOn(visitor), { origin: visitor.origin })
    await advance("10 minutes")
    const { events } = await realm.seen.during(async () => {
      await visitor.send("/passkey", { way: "create", ...late })
      expect(redirectTarget(visitor)).toEqual(PROOF)
      await visitor.open("/passkey")
      expect(redirectTarget(visitor)).toEqual(PROOF)
      await visitor.send("/security", removal)
      expect(visitor.leads.searchParams.get("why")).toBe("proof")
    })
    expect(events).toEqual([])
  })
})

describe("SEC-122: clickjacking and markup in passkey names", () => {
  test("are prevented: pages can't be framed, and names are rendered as text", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    const name = `"><img src=x onerror="alert(1)"><script>alert(1)</script>`
    await createPasskey(visitor, new Authenticator(), { passkey_name: name })
    for (const path of ["/passkey", "/security"]) {
      const { headers, text } = await visitor.open(path)
      expect(headers.get("x-frame-options")).toBe("DENY")
      expect(headers.get("content-security-policy")).toMatch(/script-src '[^;]*'; .*frame-ancestors 'none'/)
      expect(text).not.toMatch(/<img|<script>alert/)
    }
    expect(visibleText(visitor.page)).toContain(name)
  })
})

describe("SEC-123: probing the login page for users with passkeys", () => {
  test("gets the same response whether or not the user or the passkey exists", async () => {
    const realm = await newRealm()
    const [withOne, without] = [await onProfilePage(realm), await visitorAtApp(realm)]
    const device = new Authenticator()
    await createPasskey(withOne.visitor, device)
    const seen = async (name: string) => {
      const visitor = new Visitor(realm.transport, withOne.origin)
      const page = await visitor.logIn(name, "seven purple elephantz")
      return [page.status, page.text.replaceAll(name, "…")]
    }
    const [first, ...others] = [await seen(withOne.email), await seen(without.email), await seen("nobody@example.test")]
    for (const other of others) expect(other).toEqual(first)

    const visitor = new Visitor(realm.transport, withOne.origin)
    const challenge = async () =>
      (await visitor.browser.go(new URL(`${withOne.origin}/v1/passkey_options`), { method: "POST" })).body
    const asked = await challenge()
    expect(asked).toMatchObject({ options: { allowCredentials: [] } })
    const wrong = (id: string) => ({
      id,
      response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" }
    })
    const answers = []
    for (const id of [device.passkeys[0]?.id ?? "", "bm9ib2R5IGhhcyB0aGlz"]) {
      const token = String(Reflect.get(Object(await challenge()), "token"))
      const reply = await visitor.send("/login", { way: "passkey", token, response: JSON.stringify(wrong(id)) })
      // The signal about an unknown ID is the exception (SEC-286).
      answers.push([reply.status, reply.text.replace(/<span hidden data-signals="[^"]*"><\/span>/, "")])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.[0]).toBe(422)
  })
})
