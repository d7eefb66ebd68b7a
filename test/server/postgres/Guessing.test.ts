import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { Authenticator } from "#testing/Authenticator"
import { GivenRealm } from "#testing/Given"
import { codeOf, recoveryCodes, sendCode, withEmailCodes } from "../../support/codes.ts"
import { freshDatabase } from "../../support/databases.ts"
import { authenticate, authenticateV1, complete, completeV1, enrolled, PASSWORD } from "../../support/logins.ts"
import { answer, creationOptions, loginOptions, ORIGIN, register } from "../../support/passkeys.ts"
import { hashesComputed, quickUser } from "../../support/passwordEntryPoints.ts"
import { passwordToken, passwordTokenV1, reset, resetV1 } from "../../support/tokens.ts"
import { manyConnections, type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

let nodes: ReadonlyArray<Running> = []
let databaseUrl = ""

beforeAll(async () => {
  const target = await freshDatabase()
  databaseUrl = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  const environment = {
    ...manyConnections,
    DATABASE_URL: databaseUrl,
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
  nodes = await Promise.all([start(environment), start(environment)])
})

afterAll(() => Promise.all(nodes.map(({ stop }) => stop("SIGKILL"))))

/**
 * The next TOTP step on the nodes' own clocks. A device that is enrolled with the current code and then used with the
 * next one has most of a step for both, however late in a step the test starts.
 */
const soon = () => Date.now() + 30_000

/** A new realm, as served by two service processes on one database. */
const newRealm = async (): Promise<readonly [GivenRealm, GivenRealm]> => {
  const [one, two] = nodes
  if (one === undefined || two === undefined) throw new Error("The nodes have not started.")
  const made = await new Api(one.url, KEY).post("/v2/realms", { realm: { name: "Shared", jwt_algo: "hs256" } })
  return [new GivenRealm(one.url, KEY, made.id), new GivenRealm(two.url, KEY, made.id)]
}

/**
 * Repeats a request that got 503 because too many password checks are queued on a busy machine. No password was checked
 * then.
 */
const answered = async (ask: () => Promise<Reply>): Promise<Reply> => {
  const reply = await ask()
  return reply.status === 503 ? answered(ask) : reply
}

/** Sends a number of requests simultaneously, alternating between the nodes. */
const atOnce = (
  realms: readonly [GivenRealm, GivenRealm],
  times: number,
  ask: (realm: GivenRealm, n: number) => Promise<Reply>
) => Promise.all(Array.from({ length: times }, (_, n) => answered(() => ask(realms[n % 2 === 0 ? 0 : 1], n))))

/** The number of passwords that the nodes have hashed in total. */
const allHashes = async (realms: ReadonlyArray<GivenRealm>) =>
  (await Promise.all(realms.map(hashesComputed))).reduce((sum, count) => sum + count, 0)

/** Locks a user's row until a condition holds, so that nobody can change the row before. */
const holdUser = async (userId: string, until: () => Promise<boolean>) => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("begin")
  await client.query("select 1 from users where id = $1 for update", [userId])
  return async () => {
    // Leaves the CPU to the nodes.
    while (!(await until())) await setTimeout(10)
    await client.query("commit")
    await client.end()
  }
}

const withStatus = (replies: ReadonlyArray<Reply>, ...of: ReadonlyArray<number>) =>
  replies.filter(({ status }) => of.includes(status)).length

const eventTypes = async (realm: GivenRealm, ...types: ReadonlyArray<string>) =>
  (await realm.get(`/v2/events?event_type=${types.join(",")}`)).items.map(({ event_type }) => event_type)

test("SEC-07: at most 10 of 200 concurrent wrong passwords are checked, on two nodes and all entry points", async () => {
  const realms = await newRealm()
  const [realm] = realms
  const user = await realm.user({ email: "jo@example.test", username: "jo", password: PASSWORD })
  const before = await Promise.all(realms.map(hashesComputed))
  const update = (version: string) => (on: GivenRealm, guess: string) =>
    on.put(`/${version}/users/${user.id}/update_password`, {
      user: { current_password: guess, password: "ten green tortoises", password_confirmation: "ten green tortoises" }
    })
  const entryPoints: ReadonlyArray<(on: GivenRealm, guess: string) => Promise<Reply>> = [
    (on, guess) => authenticate(on, user.id, guess),
    (on, guess) => authenticate(on, "jo@example.test", guess),
    (on, guess) => authenticateV1(on, user.id, guess),
    (on, guess) => authenticateV1(on, "jo", guess),
    (on, guess) => on.post(`/v1/users/jo/authenticate`, { password: guess }, { "idempotency-key": guess.slice(6) }),
    update("v1"),
    update("v2")
  ]
  const replies = await atOnce(realms, 200, (on, n) =>
    (entryPoints[n % entryPoints.length] ?? expect.fail())(on, `guess ${n}`)
  )
  expect([withStatus(replies, 401, 422), withStatus(replies, 429)]).toEqual([10, 190])
  const after = await Promise.all(realms.map(hashesComputed))
  expect(after.reduce((sum, n, node) => sum + n - (before[node] ?? 0), 0)).toBe(10)
  expect((await authenticate(realms[1], user.id)).status).toBe(429)
  const types = await eventTypes(realm, "user.login", "user.blocked")
  expect(types.filter((type) => type === "user.blocked")).toEqual(["user.blocked"])
  // A wrong current password doesn't count as a failed login.
  const logins = replies.filter((_, n) => n % entryPoints.length < entryPoints.length - 2)
  expect(types.filter((type) => type === "user.login.failed").length).toBe(withStatus(logins, 401, 422))
})

test("SEC-07: many concurrent right passwords on two nodes log in or are postponed, without a lasting block", async () => {
  const realms = await newRealm()
  const user = await realms[0].user({ password: PASSWORD })
  const replies = await atOnce(realms, 60, (on, n) => (n % 4 < 2 ? authenticate : authenticateV1)(on, user.id))
  const entered = withStatus(replies, 200)
  const others = replies.filter(({ status }) => status !== 200 && status !== 429)
  expect([entered >= 10, others.map(({ status, errors }) => [status, errors])]).toEqual([true, []])
  expect(await eventTypes(realms[1], "user.login", "user.blocked")).toEqual(
    Array.from({ length: entered }, () => "user.login.succeeded")
  )
  expect((await realms[1].get("/v2/sessions")).items.length).toBe(entered)
  expect((await authenticate(realms[1], user.id)).status).toBe(200)
})

test("SEC-16: an imported user can log in on two nodes simultaneously the first time", async () => {
  const realms = await newRealm()
  const user = await quickUser(realms[0])
  const replies = await atOnce(realms, 8, (on) => authenticate(on, user.id))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
})

test("SEC-17: accepts exactly one of 20 concurrent submissions of a code on two nodes, for one pending login", async () => {
  const realms = await newRealm()
  const user = await quickUser(realms[0])
  const now = soon()
  const device = await enrolled(realms[0], user.id, now)
  const token = (await authenticate(realms[0], user.id)).string("token")
  const replies = await atOnce(realms, 20, (on) => complete(on, token, device.code(0, now)))
  expect([withStatus(replies, 200), withStatus(replies, 422)]).toEqual([1, 19])
  expect((await realms[1].get("/v2/sessions")).items.length).toBe(1)
  expect(await eventTypes(realms[1], "user.login.succeeded")).toEqual(["user.login.succeeded"])
})

test("SEC-17: accepts exactly one of 20 concurrent submissions of a code in separate pending logins", async () => {
  const realms = await newRealm()
  const user = await quickUser(realms[0])
  const now = soon()
  const device = await enrolled(realms[0], user.id, now)
  const tokens: Array<string> = []
  for (let n = 0; n < 20; n += 1) {
    tokens.push((await (n % 4 < 2 ? authenticate : authenticateV1)(realms[0], user.id)).string("token"))
  }
  const code = device.code(0, now)
  const replies = await atOnce(realms, 20, (on, n) =>
    n % 4 < 2 ? complete(on, tokens[n], code) : completeV1(on, user.id, tokens[n], code)
  )
  expect([withStatus(replies, 200), withStatus(replies, 401, 422, 429)]).toEqual([1, 19])
  expect((await realms[1].get("/v2/sessions")).items.length).toBe(1)
  expect(await eventTypes(realms[1], "user.login.succeeded")).toEqual(["user.login.succeeded"])
})

test.each([
  ["v1", passwordTokenV1, (on: GivenRealm, token: string, password: string) => resetV1(on, token, "--", password)],
  ["v2", passwordToken, reset]
] as const)("SEC-21: accepts exactly one of 20 concurrent resets with one %s token on two nodes", async (_, issue, use) => {
  const realms = await newRealm()
  const user = await quickUser(realms[0])
  const token = await issue(realms[0], user.id)
  // A request has read the token once it has hashed its password. No request uses the token until all have read it.
  const before = await allHashes(realms)
  const release = await holdUser(user.id, async () => (await allHashes(realms)) - before >= 20)
  const [replies] = await Promise.all([
    atOnce(realms, 20, (on, n) => use(on, token, `eight yellow giraffes ${n}`)),
    release()
  ])
  expect([withStatus(replies, 200), withStatus(replies, 422)]).toEqual([1, 19])
  const types = await eventTypes(realms[1], "user.password_token")
  expect(types.filter((type) => type === "user.password_token.consumed").length).toBe(1)
  expect(types.filter((type) => type === "user.password_token.failed").length).toBe(19)
  const winner = replies.findIndex(({ status }) => status === 200)
  expect((await authenticate(realms[1], user.id, `eight yellow giraffes ${winner}`)).status).toBe(200)
  expect((await authenticate(realms[1], user.id, PASSWORD)).status).toBe(422)
})

test("SEC-113: accepts one of 200 concurrent responses to a challenge on two nodes", async () => {
  const realms = await newRealm()
  const [realm] = realms
  await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
  const user = await realm.user()
  const authenticator = new Authenticator()
  const { token, options } = await creationOptions(realm, user.id)
  const made = authenticator.create(options, { origin: ORIGIN })
  const registered = await atOnce(realms, 200, (node) => register(node, user.id, token, made))
  expect([withStatus(registered, 201), withStatus(registered, 422)]).toEqual([1, 199])

  const login = await loginOptions(realm)
  const response = authenticator.get(login.options, { origin: ORIGIN })
  const answers = await atOnce(realms, 200, (node) => answer(node, login.token, response))
  expect([withStatus(answers, 200), withStatus(answers, 422)]).toEqual([1, 199])
  expect(await eventTypes(realm, "user.login")).toEqual(["user.login.succeeded"])
})

test("SEC-124, SEC-125: accepts one of 200 concurrent uses of a recovery code or an emailed code", async () => {
  const realms = await newRealm()
  const [realm] = realms
  await withEmailCodes(realm)
  const user = await realm.user({ password: PASSWORD })
  await enrolled(realm, user.id, soon())
  const [recovery = ""] = await recoveryCodes(realm, user.id)
  const pending = await Promise.all([1, 2, 3, 4].map(async () => (await authenticate(realm, user.id)).string("token")))
  const recovered = await atOnce(realms, 200, (on, n) => complete(on, pending[n % 4] ?? "", recovery))
  expect(withStatus(recovered, 200)).toBe(1)

  const other = await realm.user()
  const token = (await sendCode(realm, other.id)).string("token")
  const code = await codeOf(realm, other.id)
  const entered = await atOnce(realms, 200, (on) => complete(on, token, code))
  expect(withStatus(entered, 200)).toBe(1)
  expect(await eventTypes(realm, "user.recovery_code.used", "user.login.succeeded")).toEqual(
    expect.arrayContaining(["user.recovery_code.used", "user.login.succeeded", "user.login.succeeded"])
  )
  expect((await eventTypes(realm, "user.login.succeeded")).length).toBe(2)
})
