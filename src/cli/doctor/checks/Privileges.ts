import type { Inspection } from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { ofPostgres } from "./OfPostgres.ts"

/** Quotes an SQL identifier. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const privilegesFindings = ({
  privileges: { user, schema, mayCreate, unusable, foreign },
  migrations
}: Pick<Inspection, "privileges" | "migrations">): Finding | ReadonlyArray<Finding> => {
  if (schema === null) {
    return problem(
      `The search_path of ${user} names no existing schema, so there is no place for tables.`,
      `Create one: CREATE SCHEMA sallyport; ALTER ROLE ${quoted(user)} SET search_path = sallyport;`
    )
  }
  const isMigrated = "pending" in migrations && migrations.pending.length === 0
  const grant = `Run as the owner: GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(user)};`
  const findings: ReadonlyArray<Finding> = [
    ...(mayCreate
      ? []
      : [
          isMigrated
            ? warning(`${user} may not create tables in the schema ${schema}, so the next upgrade will fail.`, grant)
            : problem(`${user} may not create tables in the schema ${schema}, so the service can't start.`, grant)
        ]),
    ...(unusable.length === 0
      ? []
      : [
          problem(
            `${user} may not read and write ${unusable.join(", ")}.`,
            `Run as the owner: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${quoted(user)};`
          )
        ]),
    ...(foreign.length === 0
      ? []
      : [
          warning(
            `${foreign.length === 1 ? "A table belongs" : `${foreign.length} tables belong`} to another user (${foreign.slice(0, 3).join(", ")}${foreign.length > 3 ? ", …" : ""}), so upgrades can't alter them.`,
            `Run as the owner: ALTER TABLE … OWNER TO ${quoted(user)}; for each of them.`
          )
        ])
  ]
  return findings.length === 0
    ? ok(`${user} has all privileges that the service needs in the schema ${schema}.`)
    : findings
}

/** Checks whether the database user has the privileges that the service and its migrations need. */
export const privileges = ofPostgres("privileges", privilegesFindings)
