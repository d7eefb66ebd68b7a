import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { Client } from "pg"
import { expect, type TestContext, test } from "vitest"
import { encryptedColumns } from "#platform/SecretLocation"
import { keyIdOf } from "#platform/Secrets"
import { Api, type Reply } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { freshDatabase } from "../../support/databases.ts"
import { type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"
const NEXT_KEY = "the-next-root-key-of-more-than-thirty-two-characters"
const OLD = "the-old-key-which-has-32-characters-or-more"
const NEW = "the-new-key-which-has-32-characters-or-more"
const [oldId, newId] = [keyIdOf(OLD), keyIdOf(NEW)]

const LACKS =
  "The service can't decrypt a value that it needs: one of its encryption keys is missing. Try again in a moment."

/** A process that reads its secrets from files. */
interface Node extends Running {
  readonly write: (name: "secret" | "root_key", text: string) => void
}

const onDatabase = async ({ onTestFinished }: TestContext) => {
  const target = await freshDatabase()
  const url = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const startNode = async (keys: string): Promise<Node> => {
    const folder = mkdtempSync(join(tmpdir(), "sallyport-"))
    const write: Node["write"] = (name, text) => writeFileSync(join(folder, name), `${text}\n`)
    write("secret", keys)
    write("root_key", KEY)
    const node = await start({
      DATABASE_URL: url,
      HOST: "127.0.0.1",
      SALLYPORT_ROOT_KEY_FILE: join(folder, "root_key"),
      SALLYPORT_SECRET_FILE: join(folder, "secret")
    })
    onTestFinished(() => void node.process.kill("SIGKILL"))
    return { ...node, write }
  }
  return { client, startNode }
}

const until = async (right: () => Promise<boolean>, within = 15_000) => {
  for (const from = performance.now(); !(await right()); await setTimeout(100)) {
    if (performance.now() - from > within) throw new Error(`Not within ${within} ms.`)
  }
}

const keysOf = async ({ url }: Running, key = KEY) => (await new Api(url, key).get("/readyz")).member("encryption_keys")

const have = (nodes: ReadonlyArray<Running>, keys: ReadonlyArray<string>) =>
  until(async () => {
    const all = await Promise.all(nodes.map((node) => keysOf(node)))
    return all.every((each) => JSON.stringify(each) === JSON.stringify(keys))
  })

// Both tests mostly wait, so they run in parallel.
test.concurrent("C226, C227: a key rotation in the files of three nodes under load causes no failed request", async (context) => {
  const { client, startNode } = await onDatabase(context)
  const nodes = await Promise.all([startNode(OLD), startNode(OLD), startNode(OLD)])
  const [first] = nodes
  const { id } = await new Api(first?.url ?? "", KEY).post("/v2/realms", {
    realm: { name: "Rotating", jwt_algo: "hs256" }
  })
  const realms = nodes.map(({ url }) => new GivenRealm(url, KEY, id))
  const user = await realms[0]?.user()

  let isLoaded = true
  let asked = 0
  const failed: Array<string> = []
  const check = (reply: Reply, what: string) => {
    asked += 1
    if (reply.status >= 300) failed.push(`${what} ${reply.status} ${JSON.stringify(reply.errors)}`)
  }
  /** Creates sessions on one node, verifies them on the next, and has both store a response for repeated requests. */
  const load = async (at: number) => {
    const [here, there] = [realms[at % 3], realms[(at + 1) % 3]]
    if (here === undefined || there === undefined) return
    for (let n = 0; isLoaded; n += 1) {
      const session = await here.post("/v2/sessions", { session: { user_id: user?.id } })
      check(session, "new session")
      check(await there.get(`/v1/sessions/${encodeURIComponent(session.string("token"))}`), "token")
      const once = { "idempotency-key": `once-${at}-${n}-of-this-test` }
      const made = await here.post("/v2/orgs", { org: { name: "Once" } }, once)
      const again = await there.post("/v2/orgs", { org: { name: "Once" } }, once)
      check(made, "org")
      check(again, "repeat")
      if (made.id !== again.id) failed.push("not the same org")
      // Leaves the CPU to the nodes.
      await setTimeout(150)
    }
  }
  const loads = [load(0), load(1), load(2)]

  // Changes one file after the other, as an operator would. The first node gets a signal. The others detect the change
  // themselves.
  const change = async (keys: string, ids: ReadonlyArray<string>) => {
    for (const node of nodes) {
      node.write("secret", keys)
      if (node === first) node.process.kill("SIGHUP")
    }
    await have(nodes, ids)
  }
  await change(`${OLD},${NEW}`, [oldId, newId])
  await change(`${NEW},${OLD}`, [newId, oldId])
  const left = async () => {
    let count = 0
    for (const { table, column } of encryptedColumns) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from ${table} where ${column} like 'v1.${oldId}.%'`
      )
      count += rows[0]?.n ?? 0
    }
    return count
  }
  await until(async () => (await left()) === 0)
  await change(NEW, [newId])
  isLoaded = false
  await Promise.all(loads)
  expect(failed).toEqual([])
  expect(asked).toBeGreaterThan(60)
  expect(await left()).toBe(0)

  // A root key also follows its file: the previous one stops working.
  first?.write("root_key", NEXT_KEY)
  first?.process.kill("SIGHUP")
  await until(async () => (await new Api(nodes[1]?.url ?? "", NEXT_KEY).get("/v2/realms")).status === 200)
  await until(async () => (await new Api(nodes[1]?.url ?? "", KEY).get("/v2/realms")).status === 401)
  // An invalid value changes nothing.
  first?.write("secret", "too short")
  first?.process.kill("SIGHUP")
  await until(async () => first?.output().includes("Secrets can't be reloaded from their files.") === true)
  expect(await keysOf(nodes[0] ?? nodes[1] ?? never(), NEXT_KEY)).toEqual([newId])
}, 180_000)

const never = (): never => {
  throw new Error("There must be three nodes.")
}

test.concurrent("C226, C227: a node uses the old key while another node lacks the new key, and returns 503 for an unknown key", async (context) => {
  const { startNode } = await onDatabase(context)
  const behind = await startNode(OLD)
  const ahead = await startNode(`${NEW},${OLD}`)
  expect([await keysOf(behind), await keysOf(ahead)]).toEqual([[oldId], [oldId, newId]])
  expect(ahead.output()).toContain("Some nodes don't have this node's first encryption key")
  const made = async () => {
    const { id } = await new Api(ahead.url, KEY).post("/v2/realms", { realm: { name: "New", jwt_algo: "hs256" } })
    const user = await new GivenRealm(ahead.url, KEY, id).user()
    return { realm: new GivenRealm(behind.url, KEY, id), user: user.id }
  }
  const before = await made()
  expect((await before.realm.post("/v2/sessions", { session: { user_id: before.user } })).status).toBe(201)

  // While the other node is considered dead, no live node lacks the key.
  behind.process.kill("SIGSTOP")
  await have([ahead], [newId, oldId])
  const after = await made()
  behind.process.kill("SIGCONT")
  const begin = () => after.realm.post("/v2/sessions", { session: { user_id: after.user } })
  const refused = await begin()
  expect([refused.status, refused.headers.get("retry-after"), refused.errors]).toEqual([503, "1", [LACKS]])
  behind.write("secret", `${OLD},${NEW}`)
  await until(async () => (await begin()).status === 201, 4_000)
  await have([behind], [oldId, newId])
}, 120_000)
