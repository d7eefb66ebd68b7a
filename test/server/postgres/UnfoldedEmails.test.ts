import { Effect, Redacted } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { Connections, layer } from "#sql/Database"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { freshLocalDatabase } from "../../support/databases.ts"
import { start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"
const OLD = "jo@müller.example"

test("SEC-239: a starting node folds existing emails, and warns about users who share a mailbox", async () => {
  const target = await freshLocalDatabase()
  const node = async () => {
    const started = await start({
      DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
      HOST: "127.0.0.1",
      SALLYPORT_ROOT_KEY: KEY,
      SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
    })
    onTestFinished(() => void started.process.kill("SIGKILL"))
    return started
  }
  const first = await node()
  const realm = async () => {
    const { id } = await new Api(first.url, KEY).post("/v2/realms", { realm: { name: "Realm", jwt_algo: "hs256" } })
    return new GivenRealm(first.url, KEY, id)
  }
  const [alone, shared] = [await realm(), await realm()]
  const user = await alone.user({ email: OLD })
  const kept = await shared.user({ email: OLD })
  await Effect.gen(function* () {
    const { fast: sql } = yield* Connections
    yield* sql`update users set email = email_shown, email_shown = null where email_shown is not null`
  }).pipe(Effect.scoped, Effect.provide(layer(target)), Effect.runPromise)
  const other = await shared.user({ email: OLD })

  const second = await node()
  const found = async ({ id }: GivenRealm) =>
    (await new GivenRealm(second.url, KEY, id).get(`/v2/users/${encodeURIComponent(OLD)}`)).id
  expect([await found(alone), await found(shared)]).toEqual([user.id, other.id])
  expect(
    second
      .output()
      .match(/Some users have the same mailbox as another user, with the email address spelled differently\..*/g)
  ).toEqual([expect.stringMatching(`"count":1,"user_ids":"${kept.id}"`)])
})
