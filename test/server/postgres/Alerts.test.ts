import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { expect, onTestFinished, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { firingAlerts } from "../../support/alerts.ts"
import { severablePostgres } from "../../support/severable.ts"
import { smtpError, startMailServer } from "../MailServer.ts"
import { start } from "../ServerProcess.ts"
import { ROOT_KEY } from "./FreshEnvironment.ts"

/** A bcrypt hash with cost 12. */
const SLOW_HASH = "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW"

const SECRET = "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"

test("each alert fires for its own cause, and no alert fires in normal operation", async () => {
  const database = await severablePostgres()
  const mails = await startMailServer({
    onRcptTo: (_address, _session, done) => done(smtpError(451, "Not now."))
  })
  onTestFinished(mails.stop)
  const environment = {
    DATABASE_URL: database.url,
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: ROOT_KEY,
    SALLYPORT_SECRET: SECRET,
    SALLYPORT_SMTP_URL: `smtp://mailer:s3cret@${mails.address}`,
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
  }
  const running = await start(environment)
  const nobody = new Api(running.url, undefined)
  const scrape = async () => (await nobody.get("/metrics")).text
  const connect = async () => {
    const client = new Client({ connectionString: database.direct })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const [sql, holder] = [await connect(), await connect()]
  /** Runs `then` while a statement holds a lock on a table. */
  const holding = async (table: string, then: string) => {
    const done = holder.query(`begin; lock table ${table} in exclusive mode; ${then}`)
    const held = `select 1 from pg_locks where mode = 'ExclusiveLock' and granted and relation = '${table}'::regclass`
    await expect.poll(async () => (await sql.query(held)).rowCount, { interval: 5 }).toBe(1)
    return { done }
  }

  const root = new Api(running.url, ROOT_KEY)
  const made = await root.post("/v2/realms", { realm: { name: "Watched", jwt_algo: "hs256" } })
  const realm = new GivenRealm(running.url, ROOT_KEY, made.id)
  const newUser = (email: string, ...credentials: ReadonlyArray<object>) =>
    realm.post("/v2/users", { user: { email, credentials } })
  const wrong = { user: { password: "wrong password" } }
  const logIn = ({ id }: Reply) => realm.post(`/v2/users/${id}/authenticate`, wrong)
  const plain = await Promise.all(Array.from({ length: 5 }, (_, n) => newUser(`plain-${n}@example.test`)))
  const ids = plain.map(({ id }) => id)
  // Checking one of these passwords takes a quarter of a second of CPU time.
  const password = { credential_type: "password", password_hash: SLOW_HASH }
  const slow: Array<Reply> = []
  for (let batch = 0; batch < 2; batch++) {
    const names = Array.from({ length: 50 }, (_, n) => `slow-${batch}-${n}@example.test`)
    slow.push(...(await Promise.all(names.map((name) => newUser(name, password)))))
  }
  const well = await scrape()
  await Promise.all(ids.map((id) => realm.get(`/v2/users/${id}`)))
  // Alerts that depend on the machine's speed, which isn't the service's fault.
  const timingAlerts = ["Slow", "TransactionsWait"]
  expect(firingAlerts(well, await scrape()).filter((alert) => !timingAlerts.includes(alert))).toEqual([])

  // An attacker guesses passwords, and then everybody logs in at once.
  for (let round = 0; round < 25; round++) await Promise.all(plain.map(logIn))
  const guessed = await scrape()
  expect(firingAlerts(well, guessed).filter((alert) => !timingAlerts.includes(alert))).toEqual(["PasswordsGuessed"])
  const leaving = new AbortController()
  const rush = slow
    .flatMap((user) => Array.from({ length: 4 }, () => user))
    .map(({ id }) =>
      fetch(`${running.url}/v2/users/${id}/authenticate`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ROOT_KEY}`,
          "x-service-realm": realm.id,
          "content-type": "application/json"
        },
        body: JSON.stringify(wrong),
        signal: leaving.signal
      })
    )
  await expect
    .poll(async () => firingAlerts(guessed, await scrape()), { interval: 20, timeout: 60_000 })
    .toEqual(expect.arrayContaining(["LoginsWait", "Errors", "RequestsShed"]))
  // The waiting clients disconnect, and their passwords aren't checked.
  leaving.abort()
  await Promise.allSettled(rush)

  // A statement from elsewhere locks a table for more than a second.
  const free = await scrape()
  const { done } = await holding("users", "select pg_sleep(1.4); commit")
  await Promise.all(Array.from({ length: 16 }, (_, n) => newUser(`late-${n}@example.test`)))
  await done
  expect(firingAlerts(free, await scrape())).toEqual(expect.arrayContaining(["Slow", "TransactionsWait"]))

  // The mail server accepts nothing, the webhook receiver is unreachable, and a job can't write.
  const calm = await scrape()
  const destination = "http://127.0.0.1:1/hook"
  await realm.post("/v2/hooks", { hook: { realm_id: realm.id, event_type: ["user.updated"], destination } })
  await realm.put(`/v2/users/${ids[0]}`, { user: { reference: "4711", email_verification: "requested" } })
  await realm.invitation()
  await expect.poll(async () => (await sql.query("select 1 from deliveries where attempts > 0")).rowCount).toBe(2)
  await sql.query(
    "update deliveries set created_at = created_at - interval '1 hour', due_at = due_at + interval '1 hour'"
  )
  await sql.query(`insert into deliveries (realm_id, id, event_id, hook_realm_id, hook_id, hook_type, state, attempts, created_at, due_at)
    select realm_id, id || n, event_id, hook_realm_id, hook_id, hook_type, state, attempts, created_at, due_at
    from deliveries, generate_series(1, 5001) n where hook_type = 'webhook'`)
  await sql.query("update invitations set expires_at = expires_at - interval '100 days'")
  await holding("invitations", "select 1")
  await expect
    .poll(async () => firingAlerts(calm, await scrape()), { interval: 250, timeout: 20_000 })
    .toEqual(expect.arrayContaining(["MailsWait", "MailsRefused", "WebhooksPileUp", "BackgroundJobBehind"]))
  await holder.query("rollback")

  // The database is unreachable.
  const reached = await scrape()
  database.cut()
  await Promise.all(ids.slice(0, 5).map((id) => realm.get(`/v2/users/${id}`)))
  await expect
    .poll(async () => firingAlerts(reached, await scrape()), { interval: 250, timeout: 20_000 })
    .toEqual(expect.arrayContaining(["DatabaseAway", "Errors", "BackgroundJobFails"]))
  database.mend()

  // The node is gone, and returns with a clock that is behind and without the key for an existing secret.
  const last = await scrape()
  await running.stop("SIGKILL")
  expect(firingAlerts(last, "")).toEqual(["NodeDown"])
  await sql.query("update app_hooks set secret = 'v1.00000000.' || substr(secret, 13) where secret is not null")
  const behind = join(mkdtempSync(join(tmpdir(), "sallyport-")), "clock")
  writeFileSync(behind, "-10000")
  const shim = new URL("../MovedClock.ts", import.meta.url).href
  const again = await start({ ...environment, NODE_OPTIONS: `--import=${shim}`, MOVED_CLOCK: behind })
  const { text } = await new Api(again.url, undefined).get("/metrics")
  expect(firingAlerts(text, text)).toEqual(expect.arrayContaining(["ClockOff", "EncryptionKeyMissing"]))
  await again.stop("SIGKILL")
  database.close()
}, 240_000)
