import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { removalProblem, type SignInMethod } from "#domain/LastSignInMethod"

const Method = Schema.Struct({ canStartLogin: Schema.Boolean, isSecondFactor: Schema.Boolean })

/** The login methods of a user, each with its own id. */
const Methods = Schema.Array(Method).check(Schema.isMinLength(1), Schema.isMaxLength(6))

const withIds = (methods: ReadonlyArray<typeof Method.Type>): ReadonlyArray<SignInMethod> =>
  methods.map((method, index) => ({ ...method, id: `crd_${index}` }))

const canLogIn = (methods: ReadonlyArray<SignInMethod>) => methods.some(({ canStartLogin }) => canStartLogin)
const hasSecondFactor = (methods: ReadonlyArray<SignInMethod>) => methods.some(({ isSecondFactor }) => isSecondFactor)

describe("SEC-135: removal of a login method", () => {
  it.prop(
    "leaves a login method, and a second factor if the realm requires a second factor",
    [Methods, Schema.Boolean],
    ([some, requiresMfa]) => {
      const methods = withIds(some)
      for (const { id } of methods) {
        const rest = methods.filter((method) => method.id !== id)
        if (removalProblem(methods, id, { requiresMfa }) !== undefined) continue
        expect(canLogIn(rest)).toBe(canLogIn(methods))
        if (requiresMfa) expect(hasSecondFactor(rest)).toBe(hasSecondFactor(methods))
      }
    }
  )

  it.prop(
    "is rejected only for the last login method or the last required second factor",
    [Methods, Schema.Boolean],
    ([some, requiresMfa]) => {
      const methods = withIds(some)
      for (const { id, canStartLogin, isSecondFactor } of methods) {
        const rest = methods.filter((method) => method.id !== id)
        const why = removalProblem(methods, id, { requiresMfa })
        if (why === "last_way_in") expect([canStartLogin, canLogIn(rest)]).toEqual([true, false])
        if (why === "last_second_factor")
          expect([requiresMfa, isSecondFactor, hasSecondFactor(rest)]).toEqual([true, true, false])
      }
    }
  )

  it.prop("always leaves a login method, even after repeated attempts", [Methods], ([some]) => {
    let methods = withIds(some)
    const had = canLogIn(methods)
    for (const { id } of methods) {
      if (removalProblem(methods, id, { requiresMfa: false }) === undefined)
        methods = methods.filter((method) => method.id !== id)
    }
    expect([canLogIn(methods), methods.length <= 1]).toEqual([had, true])
  })

  it("is allowed for a method that the user doesn't have", () => {
    const methods = withIds([{ canStartLogin: true, isSecondFactor: true }])
    expect(removalProblem(methods, "crd_9", { requiresMfa: true })).toBeUndefined()
    expect(removalProblem([], "crd_0", { requiresMfa: true })).toBeUndefined()
  })
})
