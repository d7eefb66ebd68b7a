import { Script } from "node:vm"
import { afterAll, expect, it } from "@effect/vitest"
import { isCallback, jsonp } from "#hosted/api/Jsonp"
import { calls, isName, ownValue, texts, values } from "../../support/callbacks.ts"

let taken = 0

it.prop(
  "SEC-29: a callback is called exactly once if it is a valid function name and rejected otherwise",
  [texts, values],
  ([callback, value]) => {
    if (!isCallback(callback)) {
      if (isName(callback)) expect(() => new Script(`var ${callback.split(".")[0]}`)).toThrow()
      return
    }
    taken += 1
    expect(isName(callback)).toBe(true)
    const script = jsonp(callback, value)
    expect(script.startsWith(`/**/${callback}({`) && script.endsWith("});")).toBe(true)
    expect(script).not.toMatch(/[<>\u2028\u2029]/)
    expect(ownValue(calls(callback, script))).toEqual([[ownValue(value)]])
  },
  { arbitrary: { seed: 20_260_101, runs: 10_000, size: 80 } }
)

afterAll(() => {
  expect(taken).toBeGreaterThan(3_000)
})
