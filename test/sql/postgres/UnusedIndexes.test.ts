import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Postgres from "#sql/Postgres"
import { unusedIndexes } from "../../suite/UnusedIndexes.ts"
import { freshDatabase } from "../../support/databases.ts"

it.live("an index that no statement uses is reported, unless the index is unique or serves a foreign key", () =>
  Effect.gen(function* () {
    const target = yield* Effect.promise(freshDatabase)
    const url = target._tag === "Postgres" ? target.url : Redacted.make("")
    const { slow: sql } = yield* Postgres.connect(url, Postgres.poolsOf({ poolSize: 1 }))
    const unused = (...texts: ReadonlyArray<string>) =>
      Effect.promise(() => unusedIndexes(Redacted.value(url), new Set(texts)))

    yield* sql`create index orgs_planted on orgs (realm_id, created_at)`
    yield* sql`create unique index orgs_planted_rule on orgs (realm_id, name, created_at, id)`
    const withoutStatements = yield* unused()
    expect(withoutStatements).toContain("orgs_planted")
    expect(withoutStatements).not.toContain("orgs_planted_rule")
    expect(withoutStatements).not.toContain("browser_sessions_by_app")
    expect(withoutStatements).toContain("browser_sessions_by_expiry")

    const [filter, order] = [
      "select id from orgs where realm_id = $1 and created_at = $2",
      "select e.id from memberships e join realms r on r.id = e.realm_id where e.expires_at <= $1 order by e.expires_at limit 1"
    ]
    expect(yield* unused(filter)).not.toContain("orgs_planted")
    expect(withoutStatements).toContain("memberships_by_expiry")
    expect(yield* unused(order)).not.toContain("memberships_by_expiry")
  }).pipe(Effect.scoped, Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))
)
