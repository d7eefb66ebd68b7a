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

test("RG-13: a stopping node releases its pending posts, and the next node sends them with the same webhook-id", async () => {
  const target = await freshDatabase()
  const url = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  const environment = {
    DATABASE_URL: url,
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters",
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
  }
  const ids: Array<unknown> = []
  let answers = false
  let arrived = Promise.withResolvers<void>()
  const out = await receiver(({ headers }, response) => {
    ids.push(headers["webhook-id"])
    if (answers) response.end()
    arrived.resolve()
  })
  onTestFinished(out.stop)
  const one = await start(environment)
  const { id } = await new Api(one.url, KEY).post("/v2/realms", { realm: { name: "Stopped", jwt_algo: "hs256" } })
  const realm = new GivenRealm(one.url, KEY, id)
  await webhook(realm, { event_type: ["org.created"], destination: `http://127.0.0.1:${out.port}/` })
  await realm.org()
  await arrived.promise
  expect(await one.stop("SIGTERM")).toBe(0)

  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select id, state, attempts, due_at <= now() as due, last_attempt_at from deliveries where realm_id = $1",
    [id]
  )
  expect(rows).toEqual([{ id: ids[0], state: "in_progress", attempts: 0, due: true, last_attempt_at: null }])
  await client.end()
  answers = true
  arrived = Promise.withResolvers()
  const two = await start(environment)
  await arrived.promise
  expect(ids).toEqual([rows[0]?.id, rows[0]?.id])
  await two.stop("SIGKILL")
}, 60_000)
