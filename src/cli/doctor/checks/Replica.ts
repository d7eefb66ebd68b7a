import { Effect } from "effect"
import { inspectReplica, type ReplicaInspection } from "#server/inspection/ReplicaInspection"
import { type Finding, ok, skipped, warning } from "../Finding.ts"
import { type Check, isInvalid } from "../Subject.ts"

export const replicaFinding = ({ describe, state }: ReplicaInspection): Finding => {
  switch (state._tag) {
    case "Away":
      return warning(
        `The replica ${describe} can't be read from: ${state.cause}. The primary answers every read.`,
        "Check DATABASE_REPLICA_URL, and that the replica runs and takes connections from here."
      )
    case "NoReplica":
      return warning(
        `${describe} is no replica: it takes writes. The primary answers every read.`,
        "Name a streaming replica of the database in DATABASE_REPLICA_URL, or leave it out."
      )
    case "Other":
      return warning(
        `${describe} is a replica of another database, or has made no checkpoint since the last failover. The primary answers every read.`,
        "Name a replica of this very database in DATABASE_REPLICA_URL. After a failover run CHECKPOINT on the new primary, then on the replica."
      )
    case "Follows":
      return state.missing === 0n
        ? ok(`The replica ${describe} has everything that is committed.`)
        : warning(
            `The replica ${describe} lacks the last ${state.missing} bytes of changes. The primary answers until it has caught up.`,
            "If that stays so, look at pg_stat_replication on the primary, and at pg_is_wal_replay_paused() and long queries on the replica."
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
