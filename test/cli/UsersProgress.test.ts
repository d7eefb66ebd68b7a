import { describe, expect, test } from "vitest"
import { CallPace } from "#cli/users/CallPace"
import { ClaimedValues } from "#cli/users/ClaimedValues"
import { type Progress, progressJson, progressLine, progressSentence } from "#cli/users/ProgressBar"

const half: Progress = { done: 400_000, seconds: 100, share: 0.5, shareBefore: 0.1, total: 500_000, refused: 0 }

describe("the progress of an import", () => {
  test("is a bar with the percentage, users, rate and remaining time", () => {
    expect(progressLine("Importing", half, 100)).toBe(
      "Importing  ███████████████░░░░░░░░░░░░░░░  50 %  500,000 users · 4,000/s · 2 min 5 s left"
    )
    expect(progressLine("Importing", { ...half, refused: 3, share: 0.505 }, 120)).toContain(
      "  50 %  500,000 users · 4,000/s · 3 rejected · 2 min 3 s left"
    )
  })

  test("fits narrow terminals with a shorter bar or without a bar", () => {
    for (const columns of [70, 60, 40, 20]) {
      expect(progressLine("Importing", half, columns).length).toBeLessThan(columns)
    }
    expect(progressLine("Importing", half, 70)).toMatch(/^Importing {2}[█▌░]+ {2}50 % /)
    expect(progressLine("Importing", half, 60)).toMatch(/^Importing {2}50 % {2}500,000 users/)
  })

  test("shows no percentage or remaining time if the total is unknown", () => {
    expect(progressLine("Exporting", { ...half, share: undefined }, 100)).toBe("Exporting  500,000 users · 4,000/s")
    expect(progressSentence({ ...half, share: undefined })).toBe("500,000 users, 4,000/s")
  })

  test("is a sentence in a log, and JSON with --json", () => {
    expect(progressSentence(half)).toBe("500,000 users (50 %), 4,000/s, 2 min 5 s left")
    expect(progressJson(half)).toEqual({
      object: "progress",
      users: 500_000,
      refused: 0,
      per_second: 4_000,
      share: 0.5,
      seconds_left: 125
    })
  })

  test("is estimated within a request from the rate of earlier requests", () => {
    const pace = new CallPace()
    const batch = (rows: number) => ({
      rows,
      nameOf: () => undefined,
      body: [],
      cuts: [],
      columnOf: () => undefined,
      values: new ClaimedValues(),
      bytes: 1_000,
      refused: [],
      through: { records: rows, checksum: "" }
    })
    pace.begin(batch(100), 0)
    pace.send(1_000)
    expect([pace.rowsAt(500), pace.readAt(500, 4_000), pace.secondsFor(100, 500)]).toEqual([0, 0, 0])
    pace.end(4_000, 1_000)
    pace.begin(batch(300), 2_000)
    pace.send(500)
    expect([pace.rowsAt(3_000), pace.readAt(3_000, 10_000)]).toEqual([100, 6_000])
    expect([pace.secondsFor(300, 3_000), pace.secondsFor(50, 3_000)]).toEqual([2, 0])
    expect(pace.rowsAt(9_000)).toBe(150)
    pace.end(10_000, 9_000)
    expect([pace.rowsAt(9_500), pace.readAt(9_500, 12_000)]).toEqual([0, 10_000])
  })
})
