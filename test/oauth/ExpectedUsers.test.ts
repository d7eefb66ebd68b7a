import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import {
  type Authorizing,
  authorize,
  authorizing,
  begin,
  CALLBACK,
  endpointOf,
  followRedirects,
  LOGIN,
  openOtherAccount,
  redirectParams,
  requestAuthorization,
  VERIFIER
} from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { basic } from "../support/oauth.ts"
import { heading } from "../support/pages.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { clockedService } from "../support/sallyport.ts"

const newRealm = async (): Promise<GivenRealm> => (await clockedService()).given.realm()

/** Redeems a code and returns the ID token. */
const idToken = async (at: Authorizing, code: string | undefined): Promise<string> => {
  const reply = await at.visitor.browser.go(endpointOf(at, "token"), {
    form: { grant_type: "authorization_code", code: code ?? "", redirect_uri: CALLBACK, code_verifier: VERIFIER },
    headers: { authorization: basic(at.client.id, at.client.secret ?? "") }
  })
  return reply.string("id_token")
}

const subject = (sub: string): string => JSON.stringify({ id_token: { sub: { value: sub } } })

describe("SEC-168: an authorization request that names the expected user", () => {
  const twoUsers = async () => {
    const at = await authorizing(await newRealm())
    const hint = await idToken(at, (await authorize(at))["code"])
    const other = await quickUser(at.realm)
    const { advance } = await clockedService()
    await advance("10 seconds")
    return { at, hint, other, advance, params: [{ id_token_hint: hint }, { claims: subject(at.user.id) }] }
  }

  test("returns a code while the user is logged in", async () => {
    const { at, params } = await twoUsers()
    for (const expected of params) {
      await begin(at, { ...expected, prompt: "none" })
      expect(redirectParams(at)).toMatchObject({ code: expect.any(String) })
    }
    await begin(at, { id_token_hint: "no.id.token", prompt: "none" })
    expect(redirectParams(at)).toMatchObject({ code: expect.any(String) })
  })

  test("C255: accepts a long ID token as a hint, but only if the realm issued the token", async () => {
    const at = await authorizing(await newRealm())
    const code = (await authorize(at, { nonce: "n".repeat(4_000) }))["code"]
    const hint = await idToken(at, code)
    expect(hint.length).toBeGreaterThan(5_000)
    await begin(at, { id_token_hint: hint, prompt: "none" })
    expect(redirectParams(at)).toMatchObject({ code: expect.any(String) })
    const other = await quickUser(at.realm)
    const { advance } = await clockedService()
    await advance("10 seconds")
    await begin(at, { prompt: "login" })
    await openOtherAccount(at)
    await at.visitor.fill({ name: other.string("email"), password: PASSWORD }, LOGIN)
    await begin(at, { id_token_hint: hint, prompt: "none" })
    expect(redirectParams(at)).toMatchObject({ error: "login_required" })
    for (const foreign of [`${hint}x`, "x".repeat(5_000)]) {
      const reply = await requestAuthorization(at, { id_token_hint: foreign, prompt: "none" })
      expect(reply.headers.get("location")).toContain("error=invalid_request")
    }
  })

  test("returns login_required or asks the expected user to log in while another user is logged in", async () => {
    const { at, params, other, advance } = await twoUsers()
    await begin(at, { prompt: "login" })
    await openOtherAccount(at)
    await at.visitor.fill({ name: other.string("email"), password: PASSWORD }, LOGIN)
    await advance("10 seconds")
    for (const expected of params) {
      await begin(at, { ...expected, prompt: "none" })
      expect(redirectParams(at)).toMatchObject({ error: "login_required" })
      await begin(at, expected)
      expect(heading(at.visitor.page)).toBe(LOGIN)
      await at.visitor.fill({ name: other.string("email"), password: PASSWORD }, LOGIN)
      await followRedirects(at)
      expect(redirectParams(at)).toMatchObject({ error: "login_required", state: "s-1" })
      await advance("10 seconds")
    }
    await begin(at, params[0])
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: expect.any(String) })
  })
})
