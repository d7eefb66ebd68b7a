import { expect, test, vi } from "vitest"
import { blockedConnections, holdLocks } from "../../support/locks.ts"
import { BUSY_MESSAGE, blockOrgWrites, flood, newOrg } from "../../support/overload.ts"
import { query } from "../../support/query.ts"
import { isolatedService } from "../../support/sallyport.ts"

test("SEC-110: writes return 503 with Retry-After when the queue is full, and accepted writes run once", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const other = await own.given.realm()
    const writer = await realm.as("write")
    const othersWriter = await other.as("write")
    // From now on its key and realm are cached.
    await othersWriter.post("/v2/orgs", newOrg())
    const { result, events } = await realm.seen.during(async () => {
      const before = await writer.post("/v2/orgs", newOrg())
      await using orgs = await blockOrgWrites(own)
      const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
      const rush = flood(400, () => writer.post("/v2/orgs", newOrg()))
      const rejected = await rush.refused
      const [line = []] = logged.mock.calls.filter((parts) => parts.join(" ").includes("rejected with 503"))
      logged.mockRestore()
      // Only the log names the full queue.
      expect(line.at(-1)).toMatchObject({ route: "/v2/orgs", status: 503, cause: "writes: too many at once" })
      const retry_after = Number(rejected.headers.get("retry-after"))
      expect(retry_after).toBeGreaterThanOrEqual(1)
      expect([rejected.status, rejected.body]).toEqual([
        503,
        {
          errors: [BUSY_MESSAGE],
          error_details: [{ field: null, code: "overloaded", message: BUSY_MESSAGE, params: { retry_after } }],
          request_id: rejected.headers.get("x-request-id")
        }
      ])
      const probes = await Promise.all([realm.get("/healthz"), realm.get("/metrics")])
      expect(probes.map(({ status }) => status)).toEqual([200, 200])
      expect(probes[1]?.text).toMatch(/admission_shed_total\{[^}]*queue="writes"[^}]*\} [1-9]/)
      const reads = await Promise.all([other.get("/v2/orgs"), realm.get(`/v2/orgs/${before.id}`), realm.get("/readyz")])
      expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
      const others = othersWriter.post("/v2/orgs", newOrg()).then((reply) => ({ reply, before: rush.answered.length }))
      await orgs.release()
      const { reply, before: answeredBefore } = await others
      expect(reply.status).toBe(201)
      const answers = await rush.all
      // The other realm's single write didn't wait for the whole queue.
      expect(answeredBefore).toBeLessThan(answers.length)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 503]))
      return [before, ...answers.filter(({ status }) => status === 201)].map(({ id }) => id)
    })
    const stored = await query(own.sql<{ id: string }>`select id from orgs where realm_id = ${realm.id} order by id`)
    const created = result.toSorted()
    expect(stored.map(({ id }) => id).toSorted()).toEqual(created)
    expect(events.map(({ org_id }) => String(org_id)).toSorted()).toEqual(created)
  }))

test("SEC-232: concurrent statistics requests leave connections for readiness checks and the heartbeat", () =>
  isolatedService(async (own) => {
    const realms = [await own.given.realm(), await own.given.realm()] as const
    await using counts = await holdLocks(own, own.otherSql`lock table event_counts in access exclusive mode`)
    const reads = realms.flatMap((realm) =>
      Array.from({ length: 6 }, () => realm.get(`/v2/realms/${realm.id}/statistics`))
    )
    await expect.poll(() => blockedConnections(own), { interval: 5 }).toBe(2)
    const ready = await realms[0].get("/readyz")
    await counts.release()
    const read = await Promise.all(reads)
    expect([ready.status, read.length, new Set(read.map(({ status }) => status))]).toEqual([200, 12, new Set([200])])
  }))

test("C248: the node stays ready while all connections for long statements are in use", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const take = () => holdLocks(own, own.otherSql`select 1`)
    const held = await Promise.all([take(), take(), take(), take()])
    const { status } = await realm.get("/readyz")
    await Promise.all(held.map((each) => each.release()))
    expect(status).toBe(200)
  }))
