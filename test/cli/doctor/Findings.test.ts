import { DateTime } from "effect"
import { describe, expect, test } from "vitest"
import { clockFinding } from "#cli/doctor/checks/Clocks"
import { connectionsFinding } from "#cli/doctor/checks/Connections"
import { databaseFinding, refusedFinding } from "#cli/doctor/checks/Database"
import { deliveriesFindings } from "#cli/doctor/checks/Deliveries"
import { diskFinding } from "#cli/doctor/checks/DiskSpace"
import { migrationsFinding } from "#cli/doctor/checks/Migrations"
import { nodeFinding } from "#cli/doctor/checks/NodeRelease"
import { poolerFinding } from "#cli/doctor/checks/Pooler"
import { privilegesFindings } from "#cli/doctor/checks/Privileges"
import { replicaFinding } from "#cli/doctor/checks/Replica"
import { storedSecretsFinding } from "#cli/doctor/checks/StoredSecrets"
import { remoteFinding } from "#cli/doctor/checks/Webhook"
import { HookId } from "#domain/Ids"
import { databaseTodoAtStart } from "#server/DatabaseAdvice"
import { DatabaseRefused, type Inspection } from "#server/inspection/DatabaseInspection"
import type { ReplicaState } from "#server/inspection/ReplicaInspection"
import { weakness } from "#server/SecretStrength"
import { findingsText } from "./FindingsText.ts"

const server: Inspection = {
  describe: "PostgreSQL at db.internal/sallyport",
  servers: [],
  number: 160_004,
  version: "16.4 (Debian 16.4-1)",
  isReplica: false,
  latency: 0.62,
  clock: { ahead: 1, uncertain: 1 },
  connections: { limit: 97, used: 20, needed: 15 },
  pooler: { expected: "none", refuses: undefined, missingLimits: [], isPerTransaction: false },
  privileges: { user: "app", schema: "public", mayCreate: true, unusable: [], foreign: [] },
  migrations: { pending: [], newer: [], all: 11 }
}

test("the doctor reports whether the Node release is recent enough", () => {
  expect(findingsText(nodeFinding("24.1.0"))).toEqual(["ok: Node 24.1.0 runs Sallyport."])
  expect(findingsText(nodeFinding("20.19.0"))).toEqual([
    "problem: Sallyport needs Node 22.19 or later; this is 20.19.0. Install a later one, or let npx download one: npx -p node@24 sallyport. Its client, sallyport/client, runs on Node 20.16 or later."
  ])
})

test.each([
  ["8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab91", undefined],
  ["aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb", "repeats a few characters"],
  ["please-change-me-before-we-go-live!", "contains “change-me”, so it looks made up"],
  ["a-root-key-of-more-than-thirty-two-characters", "contains “characters”, so it looks made up"]
])("the doctor rates a secret like %s", (secret, why) => {
  expect(weakness(secret)).toBe(why)
})

describe("the database check", () => {
  test.each([
    [{}, "ok: PostgreSQL at db.internal/sallyport: PostgreSQL 16.4, 0.6 ms away."],
    [
      { latency: 31.26 },
      "warning: PostgreSQL at db.internal/sallyport (PostgreSQL 16.4) is 31.3 ms away, and each request makes several round trips."
    ],
    [{ number: 130_009, version: "13.9" }, "problem: PostgreSQL at db.internal/sallyport runs PostgreSQL 13.9."],
    [{ isReplica: true }, "problem: PostgreSQL at db.internal/sallyport is a replica, which doesn't accept writes."]
  ])("judges the server by its version, distance and role: %j", (given, sentence) => {
    expect(findingsText(databaseFinding({ ...server, ...given }))).toEqual([sentence])
  })

  test.each([
    [
      "TakesWrites",
      "ReadOnly",
      "ok: PostgreSQL at db.internal/sallyport: PostgreSQL 16.4, 0.6 ms away; db1 accepts writes."
    ],
    [
      "TakesWrites",
      "Failed",
      "warning: PostgreSQL at db.internal/sallyport: db2 can't be used (refused). There is no standby to take over."
    ],
    [
      "TakesWrites",
      "TakesWrites",
      "problem: db1 and db2 accept writes independently: what is written to one is missing in the other."
    ]
  ] as const)("C249: judges a list of two servers, of which the first is %s and the second is %s", (one, other, sentence) => {
    const servers = [
      { host: "db1", state: one, detail: "" },
      { host: "db2", state: other, detail: "refused" }
    ]
    expect(findingsText(databaseFinding({ ...server, servers }))).toEqual([sentence])
  })

  test("reports a database that is unreachable or rejects the user", () => {
    for (const reason of ["Unreachable", "Unauthorized", "Broken"] as const) {
      expect(findingsText(refusedFinding(new DatabaseRefused({ reason, message: "It said no." })))).toEqual([
        "problem: It said no."
      ])
    }
  })

  test("reports missing migrations and migrations of another release", () => {
    const finding = (pending: ReadonlyArray<string>, newer: ReadonlyArray<string> = []) =>
      findingsText(migrationsFinding({ migrations: { pending, newer, all: 2 } }))
    expect(finding([])).toEqual(["ok: All 2 migrations are applied."])
    expect(finding(["0001_a", "0002_b"])).toEqual(["ok: The database is empty. The first start creates the tables."])
    expect(finding(["0002_b"])).toEqual(["warning: 1 migration of 2 is pending: 0002_b."])
    expect(finding([], ["0003_c"])).toEqual([
      "ok: All 2 migrations are applied, and 1 migration of a newer release, which this release is compatible with: 0003_c."
    ])
    for (const reason of ["Newer", "Changed"] as const) {
      const migrations = new DatabaseRefused({ reason, message: "It is another release's." })
      expect(findingsText(migrationsFinding({ migrations }))).toEqual(["problem: It is another release's."])
    }
  })

  test("reports each missing privilege and the statement that grants it", () => {
    const finding = (given: Partial<Inspection["privileges"]>, pending: ReadonlyArray<string> = []) =>
      privilegesFindings({ privileges: { ...server.privileges, ...given }, migrations: { pending, newer: [], all: 2 } })
    expect(findingsText(finding({}))).toEqual([
      "ok: app has all privileges that the service needs in the schema public."
    ])
    expect(findingsText(finding({ mayCreate: false }))).toEqual([
      "warning: app may not create tables in the schema public, so the next upgrade will fail."
    ])
    expect(finding({ mayCreate: false }, ["0002_b"])).toEqual([
      {
        verdict: "problem",
        says: "app may not create tables in the schema public, so the service can't start.",
        todo: 'Run as the owner: GRANT USAGE, CREATE ON SCHEMA "public" TO "app";'
      }
    ])
    expect(findingsText(finding({ unusable: ["users"], foreign: ["orgs", "realms", "sessions", "users"] }))).toEqual([
      "problem: app may not read and write users.",
      "warning: 4 tables belong to another user (orgs, realms, sessions, …), so upgrades can't alter them."
    ])
    expect(findingsText(finding({ schema: null }))).toEqual([
      "problem: The search_path of app names no existing schema, so there is no place for tables."
    ])
  })

  test("reports whether the server allows enough connections", () => {
    const finding = (limit: number, used: number) =>
      findingsText(connectionsFinding({ connections: { limit, used, needed: 15 } }))
    expect(finding(97, 20)).toEqual(["ok: A node with these settings opens up to 15 connections; 20 of 97 are in use."])
    expect(finding(97, 90)).toEqual([
      "warning: A node with these settings opens up to 15 connections. Of 97, 90 are in use (including running nodes), so another node may get none."
    ])
    expect(findingsText(connectionsFinding({ connections: { limit: undefined, used: 3, needed: 15 } }))).toEqual([
      "ok: A node with these settings opens up to 15 connections to the pooler; PostgreSQL has 3."
    ])
    expect(finding(10, 1)).toEqual([
      "problem: A node with these settings opens up to 15 connections, but the database user is limited to 10, so the service won't start."
    ])
  })

  test("C244: reports a replica that lags or follows another server", () => {
    const finding = (state: ReplicaState) =>
      findingsText(replicaFinding({ describe: "PostgreSQL at replica.internal/sallyport", state }))
    expect(finding({ _tag: "Follows", missing: 4_096n })).toEqual([
      "warning: The replica PostgreSQL at replica.internal/sallyport is 4096 bytes behind. The primary serves its reads until it has caught up."
    ])
    expect(finding({ _tag: "Other" })).toEqual([
      "warning: PostgreSQL at replica.internal/sallyport is a replica of another database, or has had no checkpoint since the last failover. The primary serves all reads."
    ])
  })

  test("RG-19: detects a missing pooler, session mode and PgBouncer's transaction mode", () => {
    const finding = (given: Partial<Inspection["pooler"]>) =>
      findingsText(poolerFinding({ pooler: { ...server.pooler, ...given } }))
    expect(finding({})).toEqual(["ok: Connections go directly to PostgreSQL, or through a pooler in session mode."])
    const missingLimits = ["statement_timeout", "idle_in_transaction_session_timeout"]
    expect(finding({ missingLimits })).toEqual([
      "problem: A pooler (such as PgBouncer) is in front of PostgreSQL and drops the service's time limits, so the service won't start."
    ])
    expect(finding({ isPerTransaction: true })).toEqual([
      "problem: A pooler in transaction mode (such as PgBouncer) is in front of PostgreSQL, and prepared statements don't work through it."
    ])
    expect(finding({ refuses: "statement_timeout", isPerTransaction: true })).toEqual([
      "problem: A pooler in transaction mode (such as PgBouncer) is in front of PostgreSQL and rejects statement_timeout, which each connection sets at its start, so the service can't start."
    ])
    // The same advice as at the start of the service.
    for (const isPerTransaction of [true, false]) {
      const given = { pooler: { ...server.pooler, refuses: "statement_timeout", isPerTransaction } }
      expect(poolerFinding(given).todo).toBe(
        databaseTodoAtStart(new DatabaseRefused({ reason: "Pooler", message: "" }))
      )
    }
    const expected = "transaction"
    expect(finding({ expected, isPerTransaction: true })).toEqual([
      "ok: Connections may go through a pooler in transaction mode, and have their user's time limits."
    ])
    expect(finding({ expected, missingLimits })).toEqual([
      "problem: Connections have no statement_timeout and no idle_in_transaction_session_timeout, because their user has none, so the service won't start."
    ])
  })
})

test.each([
  [400, "ok: This machine's clock agrees with the clock of the database."],
  [-5_000, "warning: This machine's clock is 5 seconds ahead of the clock of the database."],
  [3_600_000, "problem: This machine's clock is 60 minutes behind the clock of the database."],
  [-86_400_000, "problem: This machine's clock is 24 hours ahead of the clock of the database."]
])("the doctor rates a clock that is ahead by %d ms", (ahead, sentence) => {
  expect(findingsText(clockFinding("the database", ahead))).toEqual([sentence])
})

test("the doctor reports whether the first, an older or a missing key encrypts the stored secrets", () => {
  const column = { table: "jwt_keys", column: "secret", key: ["realm_id", "id"] } as const
  const first = { column, keyId: "aaaaaaaa", state: "first", count: 3 } as const
  const older = { column, keyId: "bbbbbbbb", state: "older", count: 1 } as const
  const missing = { column, keyId: "cccccccc", state: "missing", count: 2 } as const
  expect(findingsText(storedSecretsFinding([first]))).toEqual([
    "ok: All 3 secrets in the database, including signing keys, are encrypted with the first key."
  ])
  expect(findingsText(storedSecretsFinding([first, older]))).toEqual([
    "warning: 1 of 4 secrets is still encrypted with an older key (bbbbbbbb)."
  ])
  expect(findingsText(storedSecretsFinding([first, older, missing]))).toEqual([
    "problem: 2 of 6 secrets can't be decrypted, because their key (cccccccc) is not in SALLYPORT_SECRET. They are in jwt_keys."
  ])
})

test("the doctor reports the age of pending deliveries", () => {
  const now = Date.UTC(2026, 0, 1)
  const waiting = (hookType: "email" | "webhook", count: number, minutes: number) => ({
    hookType,
    waiting: count,
    oldest: DateTime.makeUnsafe(now - minutes * 60_000)
  })
  expect(findingsText(deliveriesFindings([], [], now))).toEqual(["ok: No pending emails or webhooks."])
  const failing = {
    hookId: HookId.make("hk_1"),
    hookType: "webhook" as const,
    waiting: 14,
    lastDestination: "https://app.example.com/events",
    lastResult: "HTTP 500\nOops"
  }
  const both = [waiting("email", 1, 1), waiting("webhook", 40, 95)]
  expect(findingsText(deliveriesFindings(both, [], now))).toEqual([
    "ok: 1 email is pending, the oldest for 1 minute.",
    "warning: 40 webhooks are pending, the oldest for 95 minutes."
  ])
  expect(deliveriesFindings(both, [failing], now)[1]).toEqual({
    verdict: "warning",
    says: `40 webhooks are pending, the oldest for 95 minutes. Some have failed before: 14 of ${failing.hookId} to https://app.example.com/events, last response: HTTP 500.`,
    todo: `Once the cause is fixed, run sallyport hooks replay ${failing.hookId} --since 2d to send them immediately.`
  })
})

test.each([
  [50 * 1_024, "ok: 50.0 GiB are free on the disk of /data."],
  [400, "warning: 400 MiB are free on the disk of /data."],
  [60, "problem: 60 MiB are free on the disk of /data."]
])("the doctor rates a disk with %d MiB free", (mebibytes, sentence) => {
  expect(findingsText(diskFinding("/data", mebibytes * 1_048_576))).toEqual([sentence])
})

test("the doctor reports whether a webhook destination responds, rejects messages or is unreachable", () => {
  const url = "https://app.example.com/events"
  expect(findingsText(remoteFinding(url, { status: 204 }))).toEqual([`ok: ${url} accepted a signed message: HTTP 204.`])
  expect(findingsText(remoteFinding(url, { status: 401 }))).toEqual([
    `warning: ${url} responded to a signed message with HTTP 401, so hooks would retry.`
  ])
  for (const [reason, says] of [
    ["forbidden", "is not an allowed destination; only https URLs on public addresses are"],
    ["unreachable", "can't be reached from here"],
    ["timed_out", "did not respond in time"],
    ["broken_off", "cut off its response"]
  ] as const) {
    expect(findingsText(remoteFinding(url, reason))).toEqual([`problem: ${url} ${says}.`])
  }
})
