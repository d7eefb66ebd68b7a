import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { freshDatabase } from "../../support/databases.ts"
import { deleteKey, firstKeyOf, keysOf, newKey, publishedKeyIds } from "../../support/jwtKeys.ts"
import { manyConnections, type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

interface Nodes {
  /** One realm, as served by each of the two nodes. */
  readonly first: GivenRealm
  readonly second: GivenRealm
  readonly user: string
}

let nodes: ReadonlyArray<Running> = []

beforeAll(async () => {
  const target = await freshDatabase()
  const environment = {
    ...manyConnections,
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
  nodes = await Promise.all([start(environment), start(environment)])
})

afterAll(() => Promise.all(nodes.map(({ stop }) => stop("SIGKILL"))))

/** A new realm on two service processes with one database. */
const onTwoNodes = async (): Promise<Nodes> => {
  const [one, two] = nodes
  if (one === undefined || two === undefined) throw new Error("The nodes have not started.")
  const made = await new Api(one.url, KEY).post("/v2/realms", { realm: { name: "Rotating", jwt_algo: "rs256" } })
  const first = new GivenRealm(one.url, KEY, made.id)
  const user = await first.user()
  return { first, second: new GivenRealm(two.url, KEY, made.id), user: user.id }
}

/** An app that verifies tokens offline with the public keys that a node publishes. */
const appOf = ({ url, id }: GivenRealm) => {
  const keys = createRemoteJWKSet(new URL(`${url}/realms/${id}/jwks`), { cooldownDuration: 0 })
  return (token: string) => jwtVerify(token, keys, { algorithms: ["RS256"] })
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** The ways to rotate: create the next key before retiring the old one, or let the retirement create it. */
const rotations = [
  async (here: GivenRealm, there: GivenRealm) => {
    const next = await newKey(here, { algo: "rs256" })
    for (const [id, expired] of await keysOf(there)) if (!expired && id !== next.id) await deleteKey(there, id)
  },
  async (here: GivenRealm) => {
    for (const [id, expired] of await keysOf(here)) if (!expired) await deleteKey(here, id)
  }
]

test("SEC-44: no node rejects a valid token while keys rotate under load (CVE-2026-8922)", async () => {
  const { first, second, user } = await onTwoNodes()
  const apps = [appOf(first), appOf(second)]
  const tokens: Array<string> = []
  let rotating = true

  /** Creates a session on one node, uses it on the other, and verifies both tokens with the keys of each node. */
  const load = async (here: GivenRealm, there: GivenRealm) => {
    while (rotating) {
      const session = await here.session(user)
      const used = await there.get(`/v2/sessions/${session.id}`)
      for (const token of [session.string("token"), used.string("token")]) {
        tokens.push(token)
        for (const verify of apps) await verify(token)
      }
    }
  }

  const rotate = async () => {
    for (let round = 0; round < 3; round++) {
      for (const rotation of rotations) {
        await rotation(first, second)
        await rotation(second, first)
      }
    }
    rotating = false
  }

  await Promise.all([rotate(), load(first, second), load(second, first), load(first, second)])
  expect(new Set(tokens.map(kidOf)).size).toBeGreaterThan(6)
  for (const verify of [...apps, appOf(first), appOf(second)]) for (const token of tokens) await verify(token)
  const keys = await keysOf(first)
  expect([keys.length, keys.filter(([, expired]) => !expired).length]).toEqual([13, 1])
  expect(await keysOf(second)).toEqual(keys)
}, 60_000)

test("SEC-44: both nodes reject a force-deleted key, and stop signing with the key within a second", async () => {
  const { first, second, user } = await onTwoNodes()
  for (const [here, there] of [
    [first, second],
    [second, first]
  ] as const) {
    const key = await firstKeyOf(here)
    // Both nodes have cached the key.
    const tokens = [(await here.session(user)).string("token"), (await there.session(user)).string("token")]
    expect(tokens.map(kidOf)).toEqual([key, key])
    for (const verify of [appOf(here), appOf(there)]) for (const token of tokens) await verify(token)

    await deleteKey(here, key, "?force=true")
    const deletedAt = performance.now()
    expect(await publishedKeyIds(here.url, here.id)).not.toContain(key)
    expect(await publishedKeyIds(there.url, there.id)).not.toContain(key)
    for (const verify of [appOf(here), appOf(there)]) {
      for (const token of tokens) await expect(verify(token)).rejects.toThrow("no applicable key")
    }
    expect(kidOf((await here.session(user)).string("token"))).not.toBe(key)
    for (;;) {
      const askedAt = performance.now()
      const old = kidOf((await there.session(user)).string("token")) === key
      if (!old) break
      expect(askedAt - deletedAt).toBeLessThan(1_000)
      await setTimeout(10)
    }
    expect(await keysOf(there)).toEqual(await keysOf(here))
  }
})
