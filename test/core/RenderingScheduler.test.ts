import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { ALLOWANCE_MILLIS, MAX_WAITING, REALM_SHARE, RenderingScheduler, SHARE } from "#core/mail/RenderingScheduler"
import type { RealmId } from "#domain/Ids"
import { integer } from "../support/arbitraries.ts"

const realmId = (n: number): RealmId => `rlm_${String(n).padStart(26, "0")}` as RealmId

interface Done {
  readonly realm: number
  readonly at: number
  readonly millis: number
}

/** Lets realms render until the given time, each with unlimited jobs of one cost. Returns when each job was done. */
const run = (costs: ReadonlyArray<number>, until: number): ReadonlyArray<Done> => {
  const turns = new RenderingScheduler<number>()
  const refill = (realm: number) => turns.add(realmId(realm), realm)
  costs.forEach((_, realm) => refill(realm))
  const done: Array<Done> = []
  for (let now = 0; now < until; ) {
    const turn = turns.next(now)
    if (turn._tag === "Idle") throw new Error("There is always a waiting job.")
    if (turn._tag === "Rest") {
      expect(turn.millis).toBeGreaterThan(0)
      now += turn.millis
      continue
    }
    const millis = costs[turn.job] ?? 0
    done.push({ realm: turn.job, at: now, millis })
    now += millis
    turns.charge(turn.realmId, millis, now)
    refill(turn.job)
  }
  return done
}

const spentBy = (done: ReadonlyArray<Done>, realm?: number) =>
  done.filter((one) => realm === undefined || one.realm === realm).reduce((sum, { millis }) => sum + millis, 0)

const Costs = Schema.Array(integer(1, 600)).check(Schema.isBetweenLength(1, 30))

const options = { arbitrary: { size: 30 } }

describe("SEC-83: scheduling on the rendering thread", () => {
  it.prop(
    "limits each realm, and all realms together, to their share",
    [Costs],
    ([costs]) => {
      const time = 60_000
      const done = run(costs, time)
      costs.forEach((cost, realm) => {
        expect(spentBy(done, realm)).toBeLessThanOrEqual(time * REALM_SHARE + ALLOWANCE_MILLIS + cost)
      })
      expect(spentBy(done)).toBeLessThanOrEqual(time * SHARE + Math.max(...costs))
    },
    options
  )

  it.prop(
    "delays an email by at most one job of each other realm",
    [Costs, integer(1, 50)],
    ([others, waiting]) => {
      const turns = new RenderingScheduler<string>()
      others.forEach((_, realm) => {
        for (let n = 0; n < waiting; n++) turns.add(realmId(realm), `theirs ${realm}`)
      })
      turns.add(realmId(99), "mine")
      let before = 0
      for (let now = 0; ; ) {
        const turn = turns.next(now)
        if (turn._tag === "Idle") throw new Error("My job was lost.")
        if (turn._tag === "Rest") now += turn.millis
        else if (turn.job === "mine") break
        else {
          before++
          const cost = others[Number(turn.job.split(" ")[1])] ?? 0
          turns.charge(turn.realmId, cost, (now += cost))
        }
      }
      expect(before).toBeLessThanOrEqual(others.length)
    },
    options
  )

  it("runs a realm's jobs in order, except prioritized and removed jobs", () => {
    const turns = new RenderingScheduler<string>()
    for (const job of ["a", "b", "c"]) turns.add(realmId(1), job)
    turns.add(realmId(1), "trial", "first")
    turns.remove(realmId(1), "b")
    const next = () => {
      const turn = turns.next(0)
      return turn._tag === "Begin" ? turn.job : turn._tag
    }
    expect([next(), next(), next(), next()]).toEqual(["trial", "a", "c", "Idle"])
  })

  it("limits the number of waiting jobs", () => {
    const turns = new RenderingScheduler<number>()
    for (let n = 0; n < MAX_WAITING; n++) expect(turns.add(realmId(1), n)).toBe(true)
    expect([turns.add(realmId(1), -1), turns.add(realmId(2), -1)]).toEqual([false, true])
  })
})
