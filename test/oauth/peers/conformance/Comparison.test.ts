import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { clockedService } from "../../../support/sallyport.ts"
import { basicModules, type Module, otherModules } from "./Basic.ts"
import { expectedOfFlows, expectedOfLogouts, expectedOfMetadata, expectedOfOthers } from "./Expected.ts"
import { backchannelModules, configModules, logoutModules } from "./Logout.ts"
import { startOurs } from "./Ours.ts"
import type { Side } from "./Side.ts"
import { startTheirs } from "./Theirs.ts"

let ours: Side
let theirs: Awaited<ReturnType<typeof startTheirs>>

beforeAll(async () => {
  // The other provider must run on the service's clock.
  vi.useFakeTimers({ toFake: ["Date"] })
  ours = await startOurs(await clockedService())
  theirs = await startTheirs(async (seconds) => {
    vi.setSystemTime(Date.now() + seconds * 1_000)
  })
})

afterAll(() => {
  theirs.close()
  vi.useRealTimers()
})

/** Runs the modules of a plan on both providers and compares the results with the expected ones. */
const compareModules = (
  modules: Readonly<Record<string, Module>>,
  expected: typeof expectedOfFlows,
  always: Readonly<Record<string, string>> = {}
): void => {
  test.each(Object.entries(modules))("%s: both providers return the expected result", async (name, run) => {
    const { both = {}, ours: onOurs = both, theirs: onTheirs = both } = expected[name] ?? {}
    expect(Object.keys(onOurs)).not.toEqual([])
    expect(await run({ ...theirs, always }), "theirs").toMatchObject(onTheirs)
    expect(await run({ ...ours, always }), "ours").toMatchObject(onOurs)
  })

  test("each expectation belongs to a module, and each difference between the providers has a reason", () => {
    expect(Object.keys(expected).toSorted()).toEqual(Object.keys(modules).toSorted())
    const withoutReason = Object.entries(expected).filter(([, { both, why = "" }]) => both === undefined && why === "")
    expect(withoutReason).toEqual([])
  })
}

describe("oidcc-basic-certification-test-plan", () => compareModules(basicModules, expectedOfFlows))

describe("oidcc-formpost-basic-certification-test-plan", () =>
  compareModules(basicModules, expectedOfFlows, { response_mode: "form_post" }))

describe("oidcc-config-certification-test-plan", () => compareModules(configModules, expectedOfMetadata))

describe("oidcc-rp-initiated-logout-certification-test-plan and oidcc-backchannel-rp-initiated-logout-certification-test-plan", () =>
  compareModules({ ...logoutModules, ...backchannelModules }, expectedOfLogouts))

describe("other client requests", () => compareModules(otherModules, expectedOfOthers))
