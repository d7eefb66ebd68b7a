import { Script } from "node:vm"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isCallback, jsonp } from "#hosted/api/Jsonp"
import { calls, isName, own, texts, values } from "../../support/callbacks.ts"

test("SEC-29: 10,000 callbacks: one that is taken is called once with the value, whatever is in it; the others name no function", () => {
  let taken = 0
  fc.assert(
    fc.property(texts, values, (callback, value) => {
      if (!isCallback(callback)) {
        if (isName(callback)) expect(() => new Script(`var ${callback.split(".")[0]}`)).toThrow()
        return
      }
      taken += 1
      expect(isName(callback)).toBe(true)
      const script = jsonp(callback, value)
      expect(script.startsWith(`/**/${callback}({`) && script.endsWith("});")).toBe(true)
      expect(script).not.toMatch(/[<>\u2028\u2029]/)
      expect(own(calls(callback, script))).toEqual([[own(value)]])
    }),
    { seed: 20_260_101, numRuns: 10_000 }
  )
  expect(taken).toBeGreaterThan(3_000)
})
