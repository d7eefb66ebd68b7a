import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { Client } from "pg"
import { expect, onTestFinished, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { start } from "../../server/ServerProcess.ts"
import { freshDatabase } from "../../support/databases.ts"
import { webhook } from "../../support/hooks.ts"
import { receiver } from "../../support/receivers.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"
const DELIVERIES = 5

test("RG-06, C225: another node resends a killed node's deliveries within 15 seconds", async () => {
  const target = await freshDatabase()
  const url = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  const environment = {
    DATABASE_URL: url,
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters",
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
  }
  const posts: Array<string> = []
  let answers = false
  const out = await receiver(({ headers }, response) => {
    posts.push(String(headers["webhook-id"]))
    if (answers) response.end()
  })
  onTestFinished(out.stop)
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const deliveries = async () =>
    (await client.query("select id, state, attempts, claimed_by from deliveries order by id")).rows
  const until = async (right: () => boolean | Promise<boolean>, within: number) => {
    for (const from = performance.now(); !(await right()); await setTimeout(100)) {
      if (performance.now() - from > within) throw new Error(`Not posted within ${within} ms: ${JSON.stringify(posts)}`)
    }
  }

  const one = await start(environment)
  onTestFinished(() => void one.process.kill("SIGKILL"))
  const { id } = await new Api(one.url, KEY).post("/v2/realms", { realm: { name: "Killed", jwt_algo: "hs256" } })
  const realm = new GivenRealm(one.url, KEY, id)
  await webhook(realm, { event_type: ["org.created"], destination: `http://127.0.0.1:${out.port}/` })

  // The first delivery goes to a receiver that doesn't respond: node one is posting it when it is paused.
  await realm.org()
  await until(() => posts.length === 1, 5_000)
  const two = await start(environment)
  onTestFinished(() => void two.process.kill("SIGKILL"))
  answers = true
  one.process.kill("SIGSTOP")
  const stoppedAt = performance.now()
  await until(() => posts.length === 2, 15_000)
  expect(new Set(posts).size).toBe(1)
  const seconds = (performance.now() - stoppedAt) / 1_000
  process.stdout.write(`posted again ${seconds.toFixed(1)} s after its node was stopped\n`)
  await until(async () => (await deliveries()).every(({ state }) => state === "completed"), 15_000)
  expect(await deliveries()).toEqual([{ id: posts[0], state: "completed", attempts: 2, claimed_by: null }])
  one.process.kill("SIGCONT")
  // The resumed node serves requests again, and the delivery it had claimed remains as the other node left it.
  expect((await realm.org()).status).toBe(201)
  await until(async () => (await deliveries()).filter(({ state }) => state === "completed").length === 2, 15_000)
  expect(await deliveries()).toEqual([
    { id: posts[0], state: "completed", attempts: 2, claimed_by: null },
    { id: posts[2], state: "completed", attempts: 1, claimed_by: null }
  ])

  // Several simultaneous deliveries, and a killed node.
  answers = false
  posts.length = 0
  for (let n = 0; n < DELIVERIES; n += 1) await realm.org()
  await until(() => posts.length > 0, 5_000)
  const open = async () => (await deliveries()).filter(({ state }) => state === "in_progress")
  const owners = async () => new Set((await open()).flatMap(({ claimed_by }) => claimed_by ?? []))
  await until(async () => (await owners()).size > 0, 5_000)
  await one.stop("SIGKILL")
  await two.stop("SIGKILL")
  answers = true
  const killedAt = performance.now()
  const three = await start(environment)
  onTestFinished(() => void three.process.kill("SIGKILL"))
  await until(async () => (await open()).length === 0, 15_000)
  process.stdout.write(`all delivered ${((performance.now() - killedAt) / 1_000).toFixed(1)} s after the kill\n`)
  expect(three.output()).toContain("A node has died. Other nodes take over its deliveries.")
  expect((await client.query("select id from nodes")).rows).toHaveLength(1)
}, 120_000)
