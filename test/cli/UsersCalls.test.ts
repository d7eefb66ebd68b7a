import { expect, test } from "vitest"
import { batchesOf } from "#cli/users/Batches"
import { ClaimedValues } from "#cli/users/ClaimedValues"
import { memberConversion } from "#cli/users/Conversion"
import { ExportMarks } from "#cli/users/ExportMarks"
import { callLimits } from "#cli/users/ImportJob"

const HALF_MEBIBYTE = "x".repeat(512 * 1024)

/** Yields rows of half a mebibyte each, which simulate a huge number of small rows. */
async function* rows(count: number) {
  for (let line = 1; line <= count; line += 1)
    yield [{ line, record: { reference: String(line), custom: HALF_MEBIBYTE } }]
}

test("import requests grow to 24 MiB, so that any file fits into the 100 requests per hour of a realm", async () => {
  const sizes: Array<number> = []
  const read = { conversion: memberConversion([]), marks: new ExportMarks(), values: new ClaimedValues() }
  const batching = { ...read, limits: callLimits, from: undefined }
  for await (const { bytes } of batchesOf(rows(200), batching)) sizes.push(Math.round(bytes / 1024 / 1024))
  expect(sizes).toEqual([1, 1, 1, 1, 1, 2, 2, 3, 5, 7, 10, 15, 22, 24, 9])
})
