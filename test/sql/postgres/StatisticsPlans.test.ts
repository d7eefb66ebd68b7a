import { expect, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type EventType } from "#domain/Event"
import { encodeId, type RealmId } from "#domain/Ids"
import { countedEvents, type Span } from "#domain/Statistics"
import { SlowSql } from "#platform/Transaction"
import { Connections } from "#sql/Database"
import { StatisticsRepo } from "#store/events/StatisticsRepo"
import { freshConnections } from "../../support/databases.ts"
import { type Lists, planOfRun, rowsRead, statementsOf, withoutForeignKeyChecks } from "../../support/queryPlans.ts"

/** The users and events of the realm whose statistics are read, and how many times as many the big realm has. */
const USERS = 400
const EVENTS = 3_000
const TIMES = 8

/** The number of small realms, and their share of the users and events. */
const [SMALL, SHARE] = [20, 0.05]

/** The days over which events are spread, ending at `now`. */
const DAYS = 60
const DAY = 86_400_000
const now = DateTime.makeUnsafe("2026-06-01T00:00:00Z")
const start = now.epochMilliseconds - DAYS * DAY

const realmAt = (n: number): RealmId => encodeId("realm", { millis: n, random: [0, 0] })

const realm = realmAt(1)

/** The digits of ids, in the order of their values. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"

/** Every fourth event is a login, every fourth a failed login. Two of three users have logged in within a month. */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  const base32 = (value: string) =>
    Array.from(
      { length: 10 },
      (_, place) => `substr('${DIGITS}', (((${value}) >> ${5 * (9 - place)}) & 31)::int + 1, 1)`
    ).join(" || ")
  const insert = (of: RealmId, times: number) =>
    Effect.gen(function* () {
      const [users, events] = [USERS * times, EVENTS * times]
      const at = (n: string) => `(${start} + ${n}::bigint * ${DAYS * DAY} / ${events})`
      const id = (prefix: string, n: string) =>
        sql.literal(`'${prefix}' || ${base32(at(n))} || lpad(to_hex(${n}), 16, '0')`)
      const user = sql.literal(`'usr_' || lpad(to_hex(n % ${users}), 26, '0')`)
      const time = sql.literal(`to_timestamp(${at("n")} / 1000.0)`)
      yield* sql`insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
        select ${of}, ${user}, case when n % 20 = 0 then 'api' else 'human' end,
          case when n % 10 = 0 then 'inactive' else 'active' end,
          case when n % 3 = 0 then '-infinity' else '2026-06-01Z'::timestamptz - (n % 60) * interval '1 day' end
        from generate_series(1, ${users}::int) n`
      yield* sql`insert into orgs (realm_id, id, state, name, sort_name, reference, custom, created_at)
        select ${of}, ${id("org_", "n")}, 'active', 'O', 'o', null, '{}', ${time} from generate_series(1, ${users / 4}::int) n`
      yield* sql`insert into events (realm_id, id, event_type, event_at, actor_type, changed, user_id, details)
        select ${of}, ${id("ev_", "n")}, (array['user.login.succeeded', 'user.login.failed', 'session.deleted',
            'user.updated'])[n % 4 + 1], ${time}, 'api_key', '{}', ${user},
          case when n % 4 = 0 then '{"methods":["password"]}'::json end
        from generate_series(1, ${events}::int) n`
      yield* sql`insert into deliveries (realm_id, id, event_id, hook_realm_id, hook_id, hook_type, state, attempts,
          created_at, due_at)
        select ${of}, ${id("ent_", "n")}, ${id("ev_", "n")}, ${of}, 'hk_1', 'webhook',
          case when n % 50 = 0 then 'failed' else 'completed' end, 1, ${time}, ${time}
        from generate_series(1, ${events}::int) n`
    })
  yield* insert(realm, 1)
  yield* insert(realmAt(2), TIMES)
  for (let n = 0; n < SMALL; n += 1) yield* insert(realmAt(3 + n), SHARE)
  yield* sql`analyze`
})

const Repository = StatisticsRepo.layer.pipe(
  Layer.provideMerge(
    Layer.effectContext(
      Effect.map(Connections, ({ slow }) => Context.make(SqlClient, slow).pipe(Context.add(SlowSql, slow)))
    )
  )
)

/** The last days or months, ending now. */
const lastDays = (count: number, length: number): ReadonlyArray<Span> =>
  Array.from({ length: count }, (_, place) => {
    const until = now.epochMilliseconds - (count - 1 - place) * length * DAY
    return { from: until - length * DAY, until }
  })

const MONTH = lastDays(1, 30)

const ago = (days: number) => DateTime.subtract(now, { days })

it.live(
  "C206: statistics of a realm read its own rows by an index, whatever a tenant beside it has",
  () =>
    Effect.gen(function* () {
      yield* withoutForeignKeyChecks(seed)
      const repo = yield* StatisticsRepo
      const types: ReadonlyArray<EventType> = [countedEvents.failed_logins, countedEvents.sessions_ended]
      const inMonth = EVENTS / 2
      const reads: Array<readonly [name: string, maxRows: number, read: Lists[number][1]]> = [
        [
          "active users",
          3.25 * USERS + (USERS / 4) * (TIMES + 2),
          repo.totals(realm, { day: ago(1), month: ago(30), firstUser: undefined, firstOrg: undefined })
        ],
        ["logins by day", inMonth / 4, repo.logins(realm, lastDays(30, 1))],
        ["logins by month", inMonth / 4, repo.logins(realm, MONTH)],
        ["events by day", inMonth / 2, repo.events(realm, types, lastDays(30, 1))],
        ["deliveries by day", inMonth, repo.deliveries(realm, lastDays(30, 1))],
        ["failing hooks", inMonth, repo.failingHooks(realm, MONTH[0] ?? { from: 0, until: 0 })],
        ["imports by day", 0, repo.imports(realm, lastDays(30, 1))]
      ]
      for (const [name, maxRows, read] of reads) {
        for (const statement of yield* statementsOf(read)) {
          for (const planned of ["for its values", "for any values"] as const) {
            const nodes = yield* planOfRun(statement, planned)
            const tables = nodes.filter((node) => node["Relation Name"] !== undefined)
            expect(tables.length, name).toBeGreaterThan(0)
            // The realms' orgs are so few that it makes no difference.
            const scanned = tables.filter(
              (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] !== "orgs"
            )
            expect([name, planned, scanned]).toEqual([name, planned, []])
            // A bitmap scan counts its rows twice. A few are more, because the ends of the spans are between ids.
            expect(rowsRead(nodes), `${name}, planned ${planned}`).toBeLessThanOrEqual(2.05 * maxRows + 10)
          }
        }
      }
    }).pipe(Effect.provide(Repository), Effect.provide(freshConnections)),
  60_000
)
