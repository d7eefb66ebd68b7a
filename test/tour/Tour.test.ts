import { expect, test } from "vitest"
import { ownService } from "../support/sallyport.ts"
import { tour } from "./Tour.ts"

test("Every operation answers as documented when it is called in the order of a tour", async () => {
  await ownService(
    async ({ given }) => {
      const { problems, missing, called } = await tour(given, () => undefined)
      expect(problems).toEqual([])
      expect(missing).toEqual([])
      expect(called).toBeGreaterThan(160)
    },
    // Codes of authenticator apps are made by the clock of the test, one step ahead at most. The service's clock stands half a
    // step ahead, so that they are accepted for fifteen seconds, wherever in a step the test begins.
    { outbound: "real", startsAt: Date.now() + 15_000 }
  )
})
