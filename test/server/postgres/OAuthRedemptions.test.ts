import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { freshDatabase } from "../../support/databases.ts"
import { newOAuthRealm, type OAuthRealm, PUBLIC_URL, tokensIn } from "../OAuthRealm.ts"
import { manyConnections, type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"
const TIMES = 200

let nodes: ReadonlyArray<Running> = []

beforeAll(async () => {
  const target = await freshDatabase()
  const environment = {
    ...manyConnections,
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    SALLYPORT_PUBLIC_URL: PUBLIC_URL,
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
  nodes = await Promise.all([start(environment), start(environment)])
}, 240_000)

afterAll(() => Promise.all(nodes.map(({ stop }) => stop("SIGKILL"))))

const urls = () => nodes.map(({ url }) => url)

/** Sends a number of requests simultaneously, alternating between the nodes. */
const atOnce = (ask: (url: string) => Promise<Reply>, times = TIMES): Promise<ReadonlyArray<Reply>> => {
  const [one = "", two = ""] = urls()
  return Promise.all(Array.from({ length: times }, (_, n) => ask(n % 2 === 0 ? one : two)))
}

const newRealm = (): Promise<OAuthRealm> => newOAuthRealm(urls()[0] ?? "", KEY)

/** Counts the responses by status and error code. */
const counted = (replies: ReadonlyArray<Reply>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const reply of replies) {
    const name = reply.status === 200 ? "200" : `${reply.status} ${reply.member("error")}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

test("SEC-179: 200 concurrent redemptions of a code on two nodes succeed once, and the replays revoke its tokens", async () => {
  const realm = await newRealm()
  const code = await realm.code()
  const replies = await atOnce((url) => realm.redeem(url, code))
  expect(counted(replies)).toEqual({ "200": 1, "400 invalid_grant": TIMES - 1 })
  const won = replies.find(({ status }) => status === 200) ?? expect.fail()
  const { access, refresh } = tokensIn(won)
  for (const url of urls()) {
    expect((await realm.userinfo(url, access)).status).toBe(401)
    expect(counted([await realm.refresh(url, refresh)])).toEqual({ "400 invalid_grant": 1 })
  }
  expect(await realm.events("oauth.code.reused")).toEqual(["oauth.code.reused"])
})

test("SEC-180: 200 concurrent refreshes on two nodes rotate a refresh token once", async () => {
  const realm = await newRealm()
  const first = tokensIn(await realm.redeem(urls()[0] ?? "", await realm.code()))
  const replies = await atOnce((url) => realm.refresh(url, first.refresh))
  expect(counted(replies)).toEqual({ "200": TIMES })
  const handedOut = new Set(replies.map((reply) => tokensIn(reply).refresh))
  expect([handedOut.size, handedOut.has(first.refresh)]).toEqual([1, false])
  const [next = ""] = handedOut
  for (const url of urls())
    expect((await realm.userinfo(url, tokensIn(replies[0] ?? expect.fail()).access)).status).toBe(200)
  expect((await realm.refresh(urls()[1] ?? "", next)).status).toBe(200)
  expect(await realm.events("oauth.refresh.reused")).toEqual([])
})

test("SEC-181: 200 concurrent polls with one device code on two nodes return tokens once", async () => {
  const realm = await newRealm()
  const begun = await realm.device(urls()[0] ?? "")
  await realm.code()
  await realm.person.walk(begun.string("verification_uri_complete")).catch(() => undefined)
  const replies = await atOnce((url) => realm.poll(url, begun.string("device_code")))
  expect(replies.filter(({ status }) => status === 200).length).toBe(1)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  const { access } = tokensIn(replies.find(({ status }) => status === 200) ?? expect.fail())
  for (const url of urls()) expect((await realm.userinfo(url, access)).status).toBe(200)
})

test("SEC-180: a chain of refreshes continues even if each refresh is sent to both nodes simultaneously", async () => {
  const realm = await newRealm()
  let { refresh } = tokensIn(await realm.redeem(urls()[0] ?? "", await realm.code()))
  for (let n = 0; n < 20; n += 1) {
    const replies = await atOnce((url) => realm.refresh(url, refresh), 2)
    expect(counted(replies)).toEqual({ "200": 2 })
    const handedOut = new Set(replies.map((reply) => tokensIn(reply).refresh))
    expect(handedOut.size).toBe(1)
    refresh = [...handedOut][0] ?? ""
  }
  expect(await realm.events("oauth.refresh.reused")).toEqual([])
})
