import { expect } from "vitest"
import { cli } from "../Cli.ts"

/** A finding in the JSON output. */
export interface Found {
  readonly check: string
  readonly place: string
  readonly verdict: string
  readonly says: string
  readonly todo: string | null
}

export interface Examined {
  readonly code: number
  /** The findings of one check, as verdicts and sentences. */
  readonly of: (check: string) => ReadonlyArray<string>
  readonly all: ReadonlyArray<Found>
}

/** The doctor's findings in an environment. No service listens on port 65001 of this machine. */
export const examined = async (
  environment: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
): Promise<Examined> => {
  const { code, out } = await cli(["doctor", "--json", ...words], { environment: { PORT: "65001", ...environment } })
  const { ok, checks }: { readonly ok: boolean; readonly checks: ReadonlyArray<Found> } = JSON.parse(out)
  expect([ok, code]).toEqual([code === 0, checks.some(({ verdict }) => verdict === "problem") ? 1 : 0])
  const of = (name: string) =>
    checks.filter(({ check }) => check === name).map(({ verdict, says }) => `${verdict}: ${says}`)
  return { code, all: checks, of }
}

export const memory = { DATABASE_URL: "memory://" }
