import { expect, test } from "vitest"
import { emptyDatabase } from "../../support/databases.ts"
import { cli } from "../Cli.ts"

interface Found {
  readonly check: string
  readonly place: string
  readonly verdict: string
  readonly says: string
}

test("finds no problems in an empty database, and reports that the first start creates the tables", async () => {
  const environment = {
    PORT: "65001",
    DATABASE_URL: await emptyDatabase(),
    SALLYPORT_SECRET: "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
  }
  const { out } = await cli(["doctor", "--json"], { environment })
  const { checks }: { readonly checks: ReadonlyArray<Found> } = JSON.parse(out)
  const of = (name: string) =>
    checks.filter(({ check }) => check === name).map(({ verdict, says }) => `${verdict}: ${says}`)
  const empty = "The database is empty. The first start creates the tables."
  expect([of("migrations"), of("privileges"), of("stored secrets")]).toEqual([
    [`ok: ${empty}`],
    [expect.stringMatching(/^ok: /)],
    [`skipped: ${empty}`]
  ])
  expect(checks.filter(({ verdict }) => verdict === "problem")).toEqual([])
})
