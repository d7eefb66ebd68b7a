import type { Inspection } from "#server/inspection/DatabaseInspection"
import { counted, type Finding, ok, problem, warning } from "../Finding.ts"
import { ofPostgres } from "./OfPostgres.ts"

export const migrationsFinding = ({ migrations }: Pick<Inspection, "migrations">): Finding => {
  if ("reason" in migrations) {
    const todo =
      migrations.reason === "Newer"
        ? "Run the release that migrated it, or a later one. To go back, restore a backup."
        : "Run the release that created this database, or use an empty database."
    return problem(migrations.message, todo)
  }
  const { pending, newer, all } = migrations
  if (pending.length === 0 && newer.length > 0) {
    return ok(
      `All ${all} migrations are applied, and ${counted(newer.length, "migration")} of a newer release, which this release is compatible with: ${newer.join(", ")}.`
    )
  }
  if (pending.length === 0) return ok(`All ${all} migrations are applied.`)
  if (pending.length === all) return ok("The database is empty. The first start creates the tables.")
  return warning(
    `${counted(pending.length, "migration")} of ${all} ${pending.length === 1 ? "is" : "are"} pending: ${pending.join(", ")}.`,
    "Back up, then run sallyport migrate, or start one node of this release."
  )
}

/** Checks whether the tables are those of this release. */
export const migrations = ofPostgres("migrations", migrationsFinding)
