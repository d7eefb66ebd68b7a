import assert from "node:assert/strict"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { after, before, test } from "node:test"
import { Sallyport } from "sallyport/client"
import { type Started, start } from "sallyport/testing/promise"
import { teamApp } from "./app.ts"
import { setUp } from "./setup.ts"

let service: Started
let sallyport: Sallyport
let here: string
let close: () => Promise<unknown>

before(async () => {
  service = await start()
  const { url, key, now } = service
  const { realmId, appId } = await setUp(new Sallyport({ url, key }), "http://localhost:4001")
  sallyport = new Sallyport({ url, key, realmId })
  const server = teamApp({ login: { url, key, realmId, app: appId, now }, sallyport }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port }: AddressInfo = Object(server.address())
  here = `http://127.0.0.1:${port}`
  close = async () => {
    server.closeAllConnections()
    server.close()
    await service.stop()
  }
})

after(() => close())

/** A browser that stores cookies and doesn't follow redirects. */
const browser = (token?: string) => {
  const cookies = new Map(token === undefined ? [] : [["session", token]])
  const send = async (path: string, form?: Readonly<Record<string, string>>) => {
    const response = await fetch(here + path, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";", 1).join("").split("=")
      cookies.set(name, value)
    }
    return { status: response.status, to: response.headers.get("location") ?? "", text: await response.text() }
  }
  return { get: (path: string) => send(path), post: send }
}

/** Creates a user and returns a browser in which the user is logged in. */
const person = async (first_name: string) => {
  const email = `${first_name.toLowerCase()}-${crypto.randomUUID()}@example.com`
  const { id } = await sallyport.users.create({ email, first_name, credentials: [] })
  const { token } = await sallyport.sessions.create({ user_id: id })
  return { id, email, ...browser(token ?? undefined) }
}

/** Creates a team with an owner, and a member who has this role. */
const teamWith = async (role: string) => {
  const [ada, bob] = [await person("Ada"), await person("Bob")]
  const { to } = await ada.post("/teams", { name: "Engines" })
  await ada.post(`${to}/invitations`, { email: bob.email, role })
  await service.advance(0)
  const [mail] = service.inbox(bob.email)
  const token = new URL(mail?.links[0] ?? "").searchParams.get("token")
  await sallyport.users.acceptInvitation(bob.id, { token })
  // The app refreshes tokens that are older than a minute.
  await service.advance("61 seconds")
  return { ada, bob, to }
}

test("redirects visitors to the app's login pages with a state", async () => {
  const nobody = browser()
  assert.match((await nobody.get("/")).text, /Log in to share tasks/)
  assert.equal((await nobody.get("/teams/org_1")).status, 401)
  const login = await nobody.post("/login", {})
  assert.equal(login.status, 303)
  assert.match(login.to, /\/login\?state=\w{32}$/)
})

test("accepts a token only with the state of a login started in the same browser", async () => {
  const { id } = await person("Eve")
  const { token } = await sallyport.sessions.create({ user_id: id })
  const visitor = browser()
  const begin = async () => new URL((await visitor.post("/login", {})).to).searchParams.get("state")
  const callback = async (given: string | null, state: string | null) =>
    (await visitor.get(`/callback?token=${given}&state=${state}`)).to
  const own = await begin()
  assert.equal(await callback(token, "of-somebody-else"), "/callback?problem=state")
  assert.equal(await callback("forged", await begin()), "/callback?problem=token")
  assert.equal(await callback(token, own), "/")
  assert.match((await visitor.get("/")).text, /Hello, Eve/)
})

test("makes the user who creates a team its owner, and shows the team immediately", async () => {
  const ada = await person("Ada")
  const { status, to } = await ada.post("/teams", { name: "Analytical Engines" })
  assert.equal(status, 303)
  assert.match((await ada.get("/")).text, /Analytical Engines<\/a> \(owner\)/)
  await ada.post(`${to}/tasks`, { task: "Order <brass>" })
  assert.match((await ada.get(to)).text, /<li>Order &lt;brass&gt;<\/li>/)
})

test("lets an owner invite a member, who gets an email, joins and adds a task", async () => {
  const { ada, bob, to } = await teamWith("member")
  assert.match((await bob.get("/")).text, /Engines<\/a> \(member\)/)
  assert.equal((await bob.post(`${to}/tasks`, { task: "Cut cams" })).status, 303)
  assert.match((await ada.get(to)).text, /Cut cams/)
})

test("lets a guest see the team, but not add tasks or invite anyone", async () => {
  const { bob, to } = await teamWith("guest")
  assert.equal((await bob.get(to)).status, 200)
  assert.equal((await bob.post(`${to}/tasks`, { task: "Mine" })).status, 403)
  assert.equal((await bob.post(`${to}/invitations`, { email: "eve@example.com", role: "owner" })).status, 403)
})

test("locks out a removed member within a minute", async () => {
  const { ada, bob, to } = await teamWith("member")
  const { items } = await sallyport.memberships.list({ user_id: bob.id })
  await ada.post(`${to}/members/${items[0]?.id}`, { role: "none" })
  await service.advance("61 seconds")
  assert.equal((await bob.get(to)).status, 403)
  assert.match((await bob.get("/")).text, /aren&#39;t in a team yet/)
})

test("lets an owner manage only the members of their own team", async () => {
  const [{ ada, to }, other] = [await teamWith("member"), await teamWith("member")]
  const { items } = await sallyport.memberships.list({ user_id: other.bob.id })
  assert.equal((await ada.post(`${to}/members/${items[0]?.id}`, { role: "none" })).status, 404)
  assert.equal((await ada.get(other.to)).status, 403)
  assert.equal((await other.bob.get(other.to)).status, 200)
})

test("explains invalid input and changes nothing", async () => {
  const ada = await person("Ada")
  const nameless = await ada.post("/teams", { name: "" })
  assert.equal(nameless.status, 422)
  assert.match(nameless.text, /Name can&#39;t be blank/)
  const { to } = await ada.post("/teams", { name: "Engines" })
  const invited = await ada.post(`${to}/invitations`, { email: "nobody", role: "member" })
  assert.equal(invited.status, 422)
  assert.equal((await sallyport.invitations.list()).items.filter(({ email }) => email === "nobody").length, 0)
})
