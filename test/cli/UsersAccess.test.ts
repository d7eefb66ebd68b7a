import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"
import { onSecurityPage } from "../support/visitor.ts"
import { type CliOptions, cli, serviceEnvironment } from "./Cli.ts"

const withoutWarning = (err: string) => err.replace(/^Warning: this machine.s clock is .*\n/, "")

/** A realm with two users in an org, and a function that runs commands with its key of level write. */
const realmWithUsers = async (level: "read" | "write" = "write") => {
  const at = await service()
  const realm = await at.given.realm()
  const ada = await realm.user({ email: "ada@example.test", first_name: "Ada", last_name: "King" })
  const bob = await realm.user({ email: "bob@example.test", reference: "b-1" })
  const org = await realm.org({ name: "Acme", reference: "acme" })
  await realm.membership(ada.id, org.id, { permissions: ["read", "write"] })
  const { key = "" } = await realm.as(level)
  const environment = serviceEnvironment({ url: at.url, key })
  const run = async (words: ReadonlyArray<string>, options: CliOptions = {}) => {
    const ended = await cli(words, { environment, ...options })
    return { ...ended, err: withoutWarning(ended.err) }
  }
  return { realm, ada, bob, org, run }
}

const rowsOf = (out: string) =>
  out
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/ {2,}/))

describe("sallyport users", () => {
  test("lists users by email, and finds them by the beginning of a name, by email, reference or state", async () => {
    const { realm, ada, bob, run } = await realmWithUsers("read")
    const { out, err } = await run(["users", "list"])
    expect(err).toBe("")
    expect(rowsOf(out)).toEqual([
      [ada.id, "ada@example.test", "Ada King", "active", "never"],
      [bob.id, "bob@example.test", expect.any(String), "active", "never"]
    ])
    const ids = async (...words: ReadonlyArray<string>) =>
      rowsOf((await run(["users", "list", ...words])).out).map(([id]) => id)
    expect(await ids("King")).toEqual([ada.id])
    expect(await ids("--email", "BOB@example.test")).toEqual([bob.id])
    expect(await ids("--reference", "b-1")).toEqual([bob.id])
    expect((await run(["users", "list", "--state", "inactive"])).out).toBe("No users found.\n")
    const first = await run(["users", "list", "--limit", "1"])
    expect([rowsOf(first.out).length, first.err]).toEqual([
      1,
      "There are more users. Use --limit to show more than 1.\n"
    ])
    const { items } = await realm.get("/v2/users")
    expect(JSON.parse((await run(["users", "list", "--json"])).out)).toEqual(items)
    expect(await run(["users", "list", "--limit", "0"])).toMatchObject({ code: 2 })
  })

  test("shows a user with login methods and orgs", async () => {
    const { realm, ada, org, run } = await realmWithUsers("read")
    const { out } = await run(["users", "get", "ada@example.test"])
    expect(out).toContain(`ID:            ${ada.id}\nName:          Ada King\nEmail:         ada@example.test\n`)
    expect(out).toContain("State:         active\n")
    expect(out).toContain(`Orgs:          Acme (${org.id}): read write\n`)
    expect(JSON.parse((await run(["users", "get", ada.id, "--json"])).out)).toEqual(
      (await realm.get(`/v2/users/${ada.id}?expand=memberships`)).body
    )
    expect(await run(["users", "get", "nobody@example.test"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("sallyport users list shows what exists.")
    })
  })

  test("lists why a user is blocked and until when, and unblocks the user", async () => {
    const { realm, ada, bob, run } = await realmWithUsers()
    expect(await run(["users", "blocks", "ada@example.test"])).toMatchObject({ code: 0, out: "No blocks found.\n" })
    for (let n = 0; n < 10; n += 1)
      await realm.post(`/v2/users/${ada.id}/authenticate`, { user: { password: "wrong" } })
    const listed = await run(["users", "blocks", "ada@example.test"])
    expect(rowsOf(listed.out)).toEqual([
      ["password logins", "too many wrong attempts", "everywhere", expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d/)]
    ])
    const blocks = (await realm.get(`/v2/users/${ada.id}/blocks`)).member("blocks")
    expect(JSON.parse((await run(["users", "blocks", ada.id, "--json"])).out)).toEqual(blocks)
    expect(await run(["users", "unblock", "ada@example.test"])).toMatchObject({
      code: 0,
      out: `ada@example.test (${ada.id}) is unblocked: 1 block ended.\n`
    })
    expect((await realm.get(`/v2/users/${ada.id}/blocks`)).member("blocks")).toEqual([])
    await realm.put(`/v2/users/${bob.id}`, { user: { state: "inactive" } })
    expect(await run(["users", "unblock", bob.id])).toMatchObject({
      code: 0,
      out: `bob@example.test (${bob.id}) is not blocked. The user is inactive: sallyport users activate lets them log in.\n`
    })
    expect(await run(["users", "unblock", "nobody@example.test"])).toMatchObject({ code: 1 })
  })

  test("shows when an account will be deleted at its user's request, and cancels the deletion", async () => {
    const { realm, bob, run } = await realmWithUsers()
    expect(await run(["users", "cancel-deletion", bob.id])).toMatchObject({
      code: 0,
      out: `bob@example.test (${bob.id}) is not going to be deleted.\n`
    })
    await realm.put(`/v2/realms/${realm.id}`, { realm: { account_deletion_days: 30 } })
    const { visitor, user, email } = await onSecurityPage(realm)
    await visitor.fill({ current_password: PASSWORD, confirm: "yes" }, "Delete my account")
    const at = Number((await realm.get(`/v2/users/${user.id}`)).member("deletion_at"))
    const date = new Date(at * 1000).toISOString().slice(0, 10)
    const listed = rowsOf((await run(["users", "list"])).out)
    expect(listed.find(([id]) => id === user.id)?.[3]).toBe(`active, deletes on ${date}`)
    const { out } = await run(["users", "cancel-deletion", email])
    expect(out).toContain(`${email} (${user.id}) will not be deleted. The deletion was due at ${date} `)
    expect((await realm.get(`/v2/users/${user.id}`)).member("deletion_at")).toBeNull()
    expect(await run(["users", "cancel-deletion", "nobody@example.test"])).toMatchObject({ code: 1 })
  })

  test("emails a user a link for a new password or for verification", async () => {
    const { realm, ada, run } = await realmWithUsers()
    const send = (kind: string) => run(["users", "send-email", "ada@example.test", "--kind", kind])
    expect(await send("password-reset")).toMatchObject({
      code: 0,
      out: "The password reset email was sent to ada@example.test.\n"
    })
    expect(await send("verification")).toMatchObject({
      code: 0,
      out: "The verification email was sent to ada@example.test.\n"
    })
    await realm.put(`/v2/users/${ada.id}`, { user: { email_verification: "verified" } })
    expect(await send("verification")).toMatchObject({ code: 1, err: expect.stringContaining("already verified") })
    expect(await send("welcome")).toMatchObject({ code: 2 })
  })

  test("deactivates a user after confirmation, which ends the sessions, and activates the user again", async () => {
    const { realm, ada, run } = await realmWithUsers()
    await realm.post("/v2/sessions", { session: { user_id: ada.id } })
    const words = ["users", "deactivate", "ada@example.test"]
    expect(await run(words)).toMatchObject({ code: 2, err: expect.stringContaining("can't be confirmed without") })
    expect(await run(words, { answers: ["bob"] })).toMatchObject({ code: 1 })
    expect((await realm.get(`/v2/users/${ada.id}`)).string("state")).toBe("active")
    expect(await run(words, { answers: ["ada@example.test"] })).toMatchObject({
      code: 0,
      out: `ada@example.test (${ada.id}) is inactive and was logged out.\n`
    })
    expect((await realm.get(`/v2/sessions?user_id=${ada.id}`)).items).toEqual([])
    expect(JSON.parse((await run(["users", "activate", ada.id, "--json"])).out)).toMatchObject({ state: "active" })
    expect((await run([...words, "--yes"])).code).toBe(0)
    expect((await run(["users", "activate", ada.id])).out).toBe(`ada@example.test (${ada.id}) is active.\n`)
  })

  test("creates a link that sets a new password, or shows the token if the realm has no login page", async () => {
    const { realm, ada, run } = await realmWithUsers()
    const none = await run(["users", "reset-password", "ada@example.test"])
    expect(none.out).toMatch(/^tpw:\S+\nAnyone with this token can set the password of ada@example\.test\./)
    expect(none.out).toContain("The realm has no login page.")
    const app = await realm.post("/v2/client_apps", { client_app: { name: "App" } })
    const { link, token, ...rest } = JSON.parse((await run(["users", "reset-password", ada.id, "--json"])).out)
    expect(rest).toEqual({ object: "password_link", user_id: ada.id })
    expect(link).toBe(new URL(`reset?token=${encodeURIComponent(token)}`, app.string("login_url")).href)
    const password = "correct horse battery"
    const reset = await realm.post("/v2/users/reset_password_with_token", { user: { token, password } })
    expect(reset.status).toBe(200)
    await realm.put(`/v2/users/${ada.id}`, { user: { state: "inactive" } })
    expect(await run(["users", "reset-password", ada.id])).toMatchObject({ code: 1 })
  })

  test("lists a user's sessions, and ends all of them after confirmation", async () => {
    const { realm, ada, run } = await realmWithUsers()
    expect((await run(["users", "sessions", "ada@example.test"])).out).toBe("No sessions found.\n")
    const request = { ip: "192.0.2.7", client: "Firefox" }
    const session = await realm.post("/v2/sessions", { session: { user_id: ada.id }, request })
    const { out } = await run(["users", "sessions", "ada@example.test"])
    expect(out).toMatch(/^ID +STARTED +LAST SEEN +EXPIRES +METHODS +IP +BROWSER\n/)
    expect(out).toMatch(new RegExp(`\\n${session.id} .* {2}192\\.0\\.2\\.7 {2}Firefox\\n$`))
    expect(await run(["users", "sessions", ada.id, "--end"])).toMatchObject({ code: 2 })
    const ended = await run(["users", "sessions", ada.id, "--end", "--yes"])
    expect(ended.out).toBe("1 session of ada@example.test ended.\n")
    expect((await realm.get(`/v2/sessions?user_id=${ada.id}`)).items).toEqual([])
    expect(await run(["users", "sessions", "nobody@example.test"])).toMatchObject({ code: 1 })
  })

  test("changes nothing with a key of level read", async () => {
    const { ada, run } = await realmWithUsers("read")
    for (const words of [
      ["users", "deactivate", ada.id, "--yes"],
      ["users", "activate", ada.id],
      ["users", "reset-password", ada.id],
      ["users", "sessions", ada.id, "--end", "--yes"]
    ]) {
      expect(await run(words)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/isn't allowed to do this[^]*Nothing was changed\./)
      })
    }
  })
})

test("sallyport orgs lists, finds and shows orgs", async () => {
  const { realm, org, run } = await realmWithUsers("read")
  const other = await realm.org({ name: "Zeta" })
  expect(rowsOf((await run(["orgs", "list"])).out).map((row) => row.slice(0, 3))).toEqual([
    [org.id, "Acme", "active"],
    [other.id, "Zeta", "active"]
  ])
  expect(rowsOf((await run(["orgs", "list", "ac"])).out)).toHaveLength(1)
  expect(rowsOf((await run(["orgs", "list", "--reference", "acme"])).out)).toHaveLength(1)
  expect((await run(["orgs", "list", "--state", "closed"])).out).toBe("No orgs found.\n")
  expect((await run(["orgs", "get", org.id])).out).toContain(`ID:        ${org.id}\nName:      Acme\n`)
  const shown = await run(["orgs", "get", org.id, "--json"])
  expect(JSON.parse(shown.out)).toEqual((await realm.get(`/v2/orgs/${org.id}`)).body)
  expect(await run(["orgs", "get", "org_00000000000000000000000000"])).toMatchObject({ code: 1 })
})

test("sallyport memberships lists who belongs to an org and the orgs of a user", async () => {
  const { ada, org, run } = await realmWithUsers("read")
  const cells = async (...words: ReadonlyArray<string>) =>
    rowsOf((await run(["memberships", "list", ...words])).out).map((row) => row.slice(1))
  expect(await cells("--org", org.id)).toEqual([["ada@example.test", org.id, "read write", "never"]])
  expect(await cells("--user", "ada@example.test")).toEqual([[ada.id, "Acme", "read write", "never"]])
  expect(await run(["memberships", "list"])).toMatchObject({
    code: 2,
    err: "Error: Neither a user nor an org is given.\nUse --user, --org or both.\n"
  })
  expect((await run(["memberships", "list", "--user", "nobody@example.test"])).out).toBe("No memberships found.\n")
})
