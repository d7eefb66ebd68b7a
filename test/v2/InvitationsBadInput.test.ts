import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { now, rejectionOf, unknownId } from "../support/invitations.ts"
import { ownProviders } from "../support/realms.ts"
import { newRealm } from "../support/sallyport.ts"

const good = { invitation_type: "referral", email: "jo@example.test" }

/** Asserts that each case is rejected with its errors and without a change or event. */
const expectRejected = async (given: GivenRealm, cases: ReadonlyArray<readonly [object, ReadonlyArray<string>]>) => {
  const events = await given.seen.caused(async () => {
    for (const [invitation, errors] of cases) {
      const reply = await given.post("/v2/invitations", { invitation })
      expect(rejectionOf(reply), JSON.stringify(invitation)).toEqual({ status: 422, errors })
    }
  })
  expect(events).toEqual([])
  expect((await given.get("/v2/invitations")).items).toEqual([])
}

describe("POST /v2/invitations returns 422 for", () => {
  test("a missing, blank or invalid email", async () => {
    const { invitation_type } = good
    await expectRejected(await newRealm(), [
      [{ invitation_type }, ["Email can't be blank."]],
      [{ invitation_type, email: null }, ["Email can't be blank."]],
      [{ invitation_type, email: "  " }, ["Email can't be blank."]],
      [{ invitation_type, email: 7 }, ["Email must be text."]],
      ...["jo", "jo@", "@b.test", "a@b@c.test", "a b@c.test", "a@c.test\r\nBcc: x@y.test", "a@b.test,c@d.test"].map(
        (email) => [{ invitation_type, email }, ["Email is not a valid email address."]] as const
      ),
      [{ invitation_type, email: `${"a".repeat(250)}@b.test` }, ["Email is not a valid email address."]]
    ])
  })

  test("a missing or unknown type", async () => {
    const { email } = good
    await expectRejected(await newRealm(), [
      [{ email }, ["Invitation type can't be blank."]],
      ...[null, "", "Org", "friend", 1].map(
        (invitation_type) =>
          [{ email, invitation_type }, ["Invitation type must be one of: org, preverify, referral, request."]] as const
      )
    ])
  })

  test("an org invitation whose org is missing, unknown or in another realm (SEC-51)", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [org, foreign] = [await given.org(), await other.org()]
    const orgInvitation = { ...good, invitation_type: "org" }
    await expectRejected(given, [
      [orgInvitation, ["Org can't be blank."]],
      [{ ...orgInvitation, org_id: null }, ["Org can't be blank."]],
      [{ ...orgInvitation, org_id: "" }, ["Org can't be blank."]],
      ...[orgInvitation, good].flatMap((invitation) =>
        [unknownId(org.id), foreign.id, given.id, "x"].map(
          (org_id) => [{ ...invitation, org_id }, ["Org could not be found."]] as const
        )
      ),
      [{ ...orgInvitation, org_id: [org.id] }, ["Org must be text."]]
    ])
  })

  test("a closed org, but not for an inactive org", async () => {
    const given = await newRealm()
    const [closed, inactive] = [await given.org(), await given.org({ state: "inactive" })]
    await given.delete(`/v2/orgs/${closed.id}`)
    await expectRejected(
      given,
      ["org", "referral"].map((invitation_type) => [
        { ...good, invitation_type, org_id: closed.id },
        ["Org refers to a closed org."]
      ])
    )
    expect((await given.invitation({ org_id: inactive.id })).member("org", "state")).toBe("inactive")
  })

  test("C90: an app that is unknown, inactive or in another realm (SEC-51)", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [app, foreign, inactive] = [
      await given.connectedApp(),
      await other.connectedApp(),
      await given.connectedApp({ state: "inactive" })
    ]
    await expectRejected(given, [
      ...[unknownId(app.id), foreign.id, app.string("subdomain"), "x"].map(
        (client_app_id) => [{ ...good, client_app_id }, ["Client app could not be found."]] as const
      ),
      [{ ...good, client_app_id: inactive.id }, ["Client app must be active."]]
    ])
    expect((await given.invitation({ client_app_id: app.id })).member("client_app_id")).toBe(app.id)
  })

  test("SEC-51: an inviting user or a provider that is unknown or in another realm", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [user, stranger] = [await given.user(), await other.user()]
    const [provider, foreign] = [await given.authProvider(), await other.authProvider()]
    await expectRejected(given, [
      ...[unknownId(user.id), stranger.id, user.string("email"), provider.id, "x"].map(
        (inviting_user_id) => [{ ...good, inviting_user_id }, ["Inviting user could not be found."]] as const
      ),
      ...[unknownId(provider.id), foreign.id, "oauth2", user.id, "x"].map(
        (auth_provider_id) => [{ ...good, auth_provider_id }, ["Auth provider could not be found."]] as const
      )
    ])
  })

  test("a built-in provider, but not for an inactive external provider", async () => {
    const given = await newRealm()
    const github = await given.authProvider({ provider_type: "github" })
    await given.put(`/v2/auth_providers/${github.id}`, { auth_provider: { state: "inactive" } })
    const builtIn = (await given.get("/v2/auth_providers")).items.filter(({ id }) => id !== github.id)
    expect(builtIn.map(({ provider_type }) => provider_type)).toEqual(ownProviders)
    await expectRejected(
      given,
      builtIn.map(({ id }) => [
        { ...good, auth_provider_id: id },
        ["Auth provider must be an external provider, such as google or oauth2."]
      ])
    )
    expect((await given.invitation({ auth_provider_id: github.id })).member("auth_provider_id")).toBe(github.id)
  })

  test("an expires_at that is the current time, in the past or not a time", async () => {
    const future = ["Expires at must be in the future."]
    const time = ["Expires at must be a Unix timestamp in seconds."]
    await expectRejected(await newRealm(), [
      [{ ...good, expires_at: now - 1 }, future],
      [{ ...good, expires_at: now }, future],
      [{ ...good, expires_at: 0 }, future],
      [{ ...good, expires_at: -1 }, time],
      [{ ...good, expires_at: 1e15 }, time],
      [{ ...good, expires_at: "soon" }, time]
    ])
  })

  test("an invitation with several errors, which are all reported in one response", async () => {
    await expectRejected(await newRealm(), [
      [
        { invitation_type: "org", email: "jo", permissions: "ar:root", expires_at: 1 },
        [
          "Email is not a valid email address.",
          "Permissions can't start with ar:, except for ar:owner and ar:admin. Remove ar:root.",
          "Expires at must be in the future.",
          "Org can't be blank."
        ]
      ],
      [{ ...good, locale: "x".repeat(256) }, ["Locale is too long (maximum is 255 characters)."]]
    ])
  })
})

test("returns 400 for a body without the wrapper, at creation and update", async () => {
  const given = await newRealm()
  const { id } = await given.invitation()
  const missing = "The request body must contain an object named invitation."
  const messages = Object.keys(good).map(
    (member) => `Move ${member} inside invitation, as in {"invitation": {"${member}": …}}.`
  )
  const created = await given.post("/v2/invitations", good)
  expect(rejectionOf(created)).toEqual({ status: 400, errors: [missing, ...messages] })
  expect(rejectionOf(await given.put(`/v2/invitations/${id}`, {}))).toEqual({ status: 400, errors: [missing] })
})

describe("permissions of an invitation", () => {
  const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag-${n}`)

  test("can be a list or space-separated text, at creation and update", async () => {
    const given = await newRealm()
    const { id } = await given.invitation()
    for (const [sent, kept] of [
      [
        ["b", "a", "b"],
        ["b", "a"]
      ],
      ["  ar:owner   x:*\ty;z ", ["ar:owner", "x:*", "y;z"]],
      [tags(20).join(" "), tags(20)],
      [["x".repeat(62)], ["x".repeat(62)]],
      ["", []]
    ] as const) {
      expect((await given.invitation({ permissions: sent })).member("permissions")).toEqual(kept)
      const updated = await given.put(`/v2/invitations/${id}`, { invitation: { permissions: sent } })
      expect([updated.status, updated.member("permissions")]).toEqual([200, kept])
    }
  })

  test("must be at most 20 valid tags of at most 62 characters, without the prefix ar:", async () => {
    const given = await newRealm()
    const { id } = await given.invitation({ permissions: "kept" })
    const events = await given.seen.caused(async () => {
      for (const permissions of [
        ...["a b", "", "ä", "a/b", "a\n", "ar:root", "AR:owner", "x".repeat(63)].map((tag) => [tag]),
        "a/b",
        tags(21),
        tags(21).join(" "),
        7,
        [7],
        {}
      ]) {
        for (const reply of [
          await given.post("/v2/invitations", { invitation: { ...good, permissions } }),
          await given.put(`/v2/invitations/${id}`, { invitation: { permissions } })
        ]) {
          expect([reply.status, reply.errors]).toEqual([422, [expect.stringMatching(/^Permissions (may|must|can't)/)]])
        }
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/invitations/${id}`)).member("permissions")).toEqual(["kept"])
  })
})

test("returns 422 for an update with an expires_at that is the current time, in the past or not a time", async () => {
  const given = await newRealm()
  const made = await given.invitation()
  const path = `/v2/invitations/${made.id}`
  const events = await given.seen.caused(async () => {
    for (const expires_at of [now, now - 1, 0, -1, 1e15, "soon", true]) {
      const reply = await given.put(path, { invitation: { expires_at, permissions: "a" } })
      expect([reply.status, reply.member("error_details", 0, "field")]).toEqual([422, "expires_at"])
    }
  })
  expect(events).toEqual([])
  expect((await given.get(path)).body).toEqual(made.body)
})
