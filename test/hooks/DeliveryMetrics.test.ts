import { Effect, Layer } from "effect"
import { expect, test } from "vitest"
import { SlowSql } from "#platform/Transaction"
import { DeliveryBacklogRepo } from "#store/hooks/DeliveryBacklogRepo"
import { Api } from "#testing/Api"
import { emailHook } from "../support/hooks.ts"
import { isolatedService } from "../support/sallyport.ts"

/** The value of a metric with the given labels, across the whole service. */
const valueOf = (text: string, name: string, ...labels: ReadonlyArray<string>): number => {
  const line = text
    .split("\n")
    .find((each) => each.startsWith(`${name}{`) && labels.every((label) => each.includes(label)))
  return line === undefined ? 0 : Number(line.split(" ").at(-1))
}

test("C103: metrics count attempts by kind and result, and show the number and age of waiting deliveries", () =>
  isolatedService(async ({ given, transport, key, advance, postbox, sql }) => {
    const realm = await given.realm()
    const metrics = async () => (await new Api(transport, key).get("/metrics")).text
    const attempts = (text: string, result: string) =>
      valueOf(text, "delivery_attempts_total", 'kind="email"', `result="${result}"`)
    const hook = await emailHook(realm)
    const ada = await realm.user()
    const to = ada.string("email")
    const before = await metrics()

    postbox.refuse(to, { message: "The mail server rejected the email: 451 Later.", isFinal: false })
    await realm.put(`/v2/users/${ada.id}`, { user: { reference: "4711" } })
    await advance(0)
    await advance("6 seconds")
    const during = await metrics()
    expect(attempts(during, "refused")).toBe(attempts(before, "refused") + 2)
    expect(valueOf(during, "deliveries_waiting", 'kind="email"')).toBeGreaterThanOrEqual(1)
    expect(valueOf(during, "deliveries_oldest_seconds", 'kind="email"')).toBeGreaterThanOrEqual(6)

    const backlog = DeliveryBacklogRepo.layer.pipe(Layer.provide(Layer.succeed(SlowSql, sql)))
    const failingHooks = await Effect.runPromise(
      Effect.flatMap(DeliveryBacklogRepo, (repo) => repo.failingHooks).pipe(Effect.provide(backlog))
    )
    expect(failingHooks).toEqual([
      {
        hookId: hook.id,
        hookType: "email",
        waiting: 1,
        lastDestination: to,
        lastResult: expect.stringContaining("451 Later.")
      }
    ])

    postbox.refuse(to, undefined)
    await advance("10 minutes")
    const after = await metrics()
    expect(attempts(after, "delivered")).toBe(attempts(before, "delivered") + 1)
    expect(postbox.to(to)).toHaveLength(1)
  }))
