import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { keptMethod, type SignInMethod } from "#domain/LastWayIn"

const Method = Schema.Struct({ isWayIn: Schema.Boolean, isSecondFactor: Schema.Boolean })

/** What a user may have, each with an id of its own. */
const Methods = Schema.Array(Method).check(Schema.isMinLength(1), Schema.isMaxLength(6))

const withIds = (methods: ReadonlyArray<typeof Method.Type>): ReadonlyArray<SignInMethod> =>
  methods.map((method, index) => ({ ...method, id: `crd_${index}` }))

const hasWayIn = (methods: ReadonlyArray<SignInMethod>) => methods.some(({ isWayIn }) => isWayIn)
const hasSecondFactor = (methods: ReadonlyArray<SignInMethod>) => methods.some(({ isSecondFactor }) => isSecondFactor)

describe("SEC-135: the last way in", () => {
  it.prop(
    "a removal that is allowed leaves a way in to whoever had one, and a second factor where the realm requires it",
    [Methods, Schema.Boolean],
    ([some, requiresMfa]) => {
      const methods = withIds(some)
      for (const { id } of methods) {
        const rest = methods.filter((method) => method.id !== id)
        if (keptMethod(methods, id, { requiresMfa }) !== undefined) continue
        expect(hasWayIn(rest)).toBe(hasWayIn(methods))
        if (requiresMfa) expect(hasSecondFactor(rest)).toBe(hasSecondFactor(methods))
      }
    }
  )

  it.prop(
    "a removal is refused only if it takes the last one away, and the reason says which",
    [Methods, Schema.Boolean],
    ([some, requiresMfa]) => {
      const methods = withIds(some)
      for (const { id, isWayIn, isSecondFactor } of methods) {
        const rest = methods.filter((method) => method.id !== id)
        const why = keptMethod(methods, id, { requiresMfa })
        if (why === "last_way_in") expect([isWayIn, hasWayIn(rest)]).toEqual([true, false])
        if (why === "last_second_factor")
          expect([requiresMfa, isSecondFactor, hasSecondFactor(rest)]).toEqual([true, true, false])
      }
    }
  )

  it.prop("removed one after the other, as far as that goes, a way in remains", [Methods], ([some]) => {
    let methods = withIds(some)
    const had = hasWayIn(methods)
    for (const { id } of methods) {
      if (keptMethod(methods, id, { requiresMfa: false }) === undefined)
        methods = methods.filter((method) => method.id !== id)
    }
    expect([hasWayIn(methods), methods.length <= 1]).toEqual([had, true])
  })

  it("what the user does not have is not lost", () => {
    const methods = withIds([{ isWayIn: true, isSecondFactor: true }])
    expect(keptMethod(methods, "crd_9", { requiresMfa: true })).toBeUndefined()
    expect(keptMethod([], "crd_0", { requiresMfa: true })).toBeUndefined()
  })
})
