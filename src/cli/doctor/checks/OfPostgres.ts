import { Effect } from "effect"
import type { Inspection } from "#server/inspection/DatabaseInspection"
import { type Finding, skipped } from "../Finding.ts"
import { type Check, isInvalid } from "../Subject.ts"

/** A check of a PostgreSQL database. Reports nothing if there is none. */
export const ofPostgres = (
  name: string,
  find: (inspection: Inspection) => Finding | ReadonlyArray<Finding>
): Check => ({
  name,
  place: "settings",
  run: (subject) => {
    if (subject.settings.database._tag !== "Postgres" || isInvalid(subject, "DATABASE_URL")) return Effect.succeed([])
    return Effect.match(subject.postgres, {
      onSuccess: find,
      onFailure: () => skipped("The database can't be reached.")
    })
  }
})
