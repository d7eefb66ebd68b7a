import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { encodeId, JwtKeyId, RealmId } from "#domain/Ids"
import { sortKey } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { locationOf } from "#store/JwtKeysRepo"
import { Given, GivenRealm, unique } from "#testing/Given"
import type { Transport } from "#testing/Transport"
import { query } from "./query.ts"

/** What the services of tests encrypt with. */
export const SECRET = "test-secret-of-more-than-32-characters"

type Row = Readonly<Record<string, unknown>>

/** A realm's rows, table by table. */
type Rows = Readonly<Record<string, ReadonlyArray<Row>>>

/** The tables in which a new realm has rows, each after those that it refers to. */
const tables = ["realms", "jwt_keys", "auth_providers", "app_hooks", "events"]

const rowsOf = async (sql: SqlClient, realm: string): Promise<Rows> => {
  const found: Record<string, ReadonlyArray<Row>> = {}
  for (const table of tables) {
    const [read] = await query(
      sql<{ readonly rows: string }>`select json_agg(to_json(t) order by t.id)::text as rows
        from ${sql(table)} t where ${sql(table === "realms" ? "id" : "realm_id")} = ${realm}`
    )
    found[table] = JSON.parse(read?.rows ?? "[]")
  }
  return found
}

const services = Layer.merge(Signer.layer, Secrets.layer([Redacted.make(SECRET)])).pipe(Layer.provide(Entropy.layer))

/** How many realms are copied at once, after the first few, where the clock stands still. */
const MOST = 32

/** The time of a service, in Unix milliseconds, and whether its tests turn it. */
interface Time {
  readonly now: () => number
  readonly isTurned: boolean
}

/**
 * New realms as the service makes them, for a fraction of what that takes: copies of the rows of one that it has made, with ids,
 * a name, a signing key and a time of their own.
 */
export class CopiedRealms {
  readonly #given: Given
  readonly #sql: SqlClient
  readonly #time: Time
  #size = 1
  #ready: Array<string> = []
  #original: Promise<Rows> | undefined
  #copying: Promise<void> | undefined
  #unknownToPlans = MOST

  constructor(given: Given, sql: SqlClient, time: Time) {
    this.#given = given
    this.#sql = sql
    this.#time = time
  }

  /** The id of a realm that nobody else has. */
  async next(): Promise<string> {
    for (;;) {
      const id = this.#ready.shift()
      if (id !== undefined) return id
      this.#copying ??= this.#copy().finally(() => {
        this.#copying = undefined
      })
      await this.#copying
    }
  }

  async #copy(): Promise<void> {
    const original = await (this.#original ??= this.#given.realm().then(({ id }) => rowsOf(this.#sql, id)))
    if (!this.#time.isTurned) this.#size = Math.min(this.#size * 2, MOST)
    const copies = await Effect.runPromise(
      Effect.provide(Effect.replicateEffect(copyOf(original, this.#time.now()), this.#size), services)
    )
    const sql = this.#sql
    const insertions = tables.map((table) => {
      const rows = copies.flatMap((copy) => copy[table] ?? [])
      return sql`${sql(`new_${table}`)} as (insert into ${sql(table)}
        select * from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::json))`
    })
    await query(sql`with ${sql.join(", ", false)(insertions)} select`)
    await this.#showToPlans(copies.length)
    this.#ready.push(...copies.map(({ realms }) => String(realms?.[0]?.["id"])))
  }

  /**
   * Has the database count its realms once there are some. Until then it takes most of them for deleted, and finds the rows of
   * one by going through all.
   */
  async #showToPlans(copied: number): Promise<void> {
    const before = this.#unknownToPlans
    this.#unknownToPlans -= copied
    if (before > 0 && this.#unknownToPlans <= 0) await query(this.#sql`analyze realms`)
  }
}

const bodyOf = (id: string): string => id.slice(id.indexOf("_") + 1)

let made = 0

/** An id like this one, of a time. Those that the service makes then begin higher, so that they come after it. */
const idLike = (id: string, millis: number): string =>
  id.replace(bodyOf(id), bodyOf(encodeId("realm", { millis, random: [0, (made += 1)] })))

/** The same rows of another realm, made at a time. */
const copyOf = Effect.fnUntraced(function* (
  original: Rows,
  millis: number
): Effect.fn.Return<Rows, never, Secrets | Signer> {
  const [secrets, signer] = [yield* Secrets, yield* Signer]
  const old = Object.values(original).flatMap((rows) => rows.map(({ id }) => String(id)))
  const inOrder = old.toSorted((one, other) => (bodyOf(one) < bodyOf(other) ? -1 : 1))
  const ids = new Map(inOrder.map((id) => [id, idLike(id, millis)]))
  const text = JSON.stringify(original)
    .replaceAll(new RegExp(old.join("|"), "g"), (id) => ids.get(id) ?? id)
    .replaceAll(String(original["realms"]?.[0]?.["created_at"]), new Date(millis).toISOString())
  const rows: Rows = JSON.parse(text)
  const name = unique("Realm")
  const keys: Array<Row> = []
  for (const row of rows["jwt_keys"] ?? []) {
    const location = locationOf(RealmId.make(String(row["realm_id"])), JwtKeyId.make(String(row["id"])))
    const { secret } = yield* signer.generate("hs256")
    keys.push({ ...row, secret: yield* secrets.encrypt(location, secret) })
  }
  const realms = (rows["realms"] ?? []).map((row) => ({ ...row, name, sort_name: sortKey(name) }))
  return { ...rows, realms, jwt_keys: keys }
})

/** Makes realms that differ from others in nothing as copies, all others through the service. */
export class CopyingGiven extends Given {
  readonly #copies: CopiedRealms

  constructor(to: string | Transport, rootKey: string, copies: CopiedRealms) {
    super(to, rootKey)
    this.#copies = copies
  }

  override async realm(settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> {
    if (Object.keys(settings).length > 0) return super.realm(settings)
    const { transport, key = "" } = this.root
    return new GivenRealm(transport, key, await this.#copies.next())
  }
}
