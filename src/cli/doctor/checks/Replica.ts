import { Effect } from "effect"
import { inspectReplica, type ReplicaInspection } from "#server/inspection/ReplicaInspection"
import { type Finding, ok, skipped, warning } from "../Finding.ts"
import { type Check, isInvalid } from "../Subject.ts"

export const replicaFinding = ({ describe, state }: ReplicaInspection): Finding => {
  switch (state._tag) {
    case "Away":
      return warning(
        `The replica ${describe} can't be read: ${state.cause}. The primary serves all reads.`,
        "Check DATABASE_REPLICA_URL, and that the replica is running and accepts connections from here."
      )
    case "NoReplica":
      return warning(
        `${describe} is not a replica, because it accepts writes. The primary serves all reads.`,
        "Set DATABASE_REPLICA_URL to a streaming replica of the database, or remove it."
      )
    case "Other":
      return warning(
        `${describe} is a replica of another database, or has had no checkpoint since the last failover. The primary serves all reads.`,
        "Set DATABASE_REPLICA_URL to a replica of this database. After a failover, run CHECKPOINT on the new primary, then on the replica."
      )
    case "Follows":
      return state.missing === 0n
        ? ok(`The replica ${describe} is up to date.`)
        : warning(
            `The replica ${describe} is ${state.missing} bytes behind. The primary serves its reads until it has caught up.`,
            "If this persists, check pg_stat_replication on the primary, and pg_is_wal_replay_paused() and long queries on the replica."
          )
  }
}

/** Checks whether the configured replica, if any, is readable. */
export const replica: Check = {
  name: "replica",
  place: "settings",
  run: (subject) => {
    const { database } = subject.settings
    if (database._tag !== "Postgres" || database.replica === undefined) return Effect.succeed([])
    if (isInvalid(subject, "DATABASE_REPLICA_URL")) return Effect.succeed(skipped("DATABASE_REPLICA_URL is not valid."))
    return Effect.match(inspectReplica(subject.settings), {
      onSuccess: (inspection) => (inspection === undefined ? [] : replicaFinding(inspection)),
      onFailure: () => skipped("The database can't be reached.")
    })
  }
}
