import { appendFileSync, mkdirSync } from "node:fs"
import { dirname, relative } from "node:path"
import { Effect, Layer } from "effect"
import { CurrentTransformer } from "effect/sql/Statement"
import { afterAll, expect, inject } from "vitest"
import type { Written } from "../suite/Statements.ts"

const texts = new Set<string>()
let unwritten: Array<Omit<Written, "file">> = []

/** Records each distinct statement that services on this layer run. */
export const recordedStatements = Layer.succeed(CurrentTransformer, (statement) =>
  Effect.sync(() => {
    const [text] = statement.compile()
    if (!texts.has(text)) unwritten.push({ text, test: expect.getState().currentTestName })
    texts.add(text)
    return statement
  })
)

/** Writes to disk, after each test file, the statements that it was the first in its worker to run. */
export const writeStatements = (): void => {
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath ?? "")
    const start = inject("statements")
    mkdirSync(dirname(start), { recursive: true })
    appendFileSync(
      `${start}-${process.pid}.jsonl`,
      unwritten.map((each) => `${JSON.stringify({ file, ...each })}\n`).join("")
    )
    unwritten = []
  })
}
