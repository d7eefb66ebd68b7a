import { Redacted } from "effect"
import type { EncryptionKey, KeyPlace } from "#server/SecretKeys"

/** The changes of a rotation step. `keys`: the node's keys afterwards. `made`: the created key. */
export interface Change {
  readonly step: "Add" | "Promote" | "Remove"
  readonly place: KeyPlace
  readonly keys: ReadonlyArray<EncryptionKey>
  readonly made: EncryptionKey | undefined
}

/** What was done in a step. */
export interface Told {
  readonly change: Change
  /** The keys before the step. */
  readonly before: ReadonlyArray<EncryptionKey>
  /** Whether the keys were written to their file. `fixed`: why not. */
  readonly isWritten: boolean
  readonly fixed?: string
  /** The file with the removed keys. */
  readonly old?: string
  readonly dryRun: boolean
  readonly reencrypted: number
  /** Whether only the file next to the database had to change. */
  readonly finished: boolean
}

/** Identifies a key without revealing it. */
const named = ({ id, madeAt }: EncryptionKey): string =>
  madeAt === undefined ? id : `${id} (of ${new Date(madeAt).toISOString().slice(0, 16).replace("T", " ")} UTC)`

/** What a node needs to apply changed keys. Key files named in a setting are reread when they change. */
const restarted = ({ place }: Change): string => (place._tag === "File" && !place.ownDatabase ? "" : ", and restart it")

/** How nodes get a changed file. */
const sameFile = (change: Change): string =>
  `Give every node the same file${restarted(change)}.${restarted(change) === "" ? " Nodes take it within seconds, without a restart." : ""}`

const AGAIN = "Then run sallyport secrets rotate again, with the new settings, and name every node with --node."

const BACKUPS = "Keep the old key as long as you keep backups from before: they need it."

const ENDS =
  "That ends the rotation: afterwards, sallyport secrets rotate --dry-run with every --node names those that still have the old key."

/** Where the old key was saved, and what it is still needed for. */
const keptAt = (old: string | undefined) =>
  old === undefined
    ? BACKUPS
    : `The old key is now in ${old}, which only its owner can read. Backups from before need it: move it to where you keep them, and delete it when the last of them is gone.`

/** Where to change a node's keys. */
const placeOf = ({ place }: Change, fixed?: string) =>
  place._tag === "Environment"
    ? "SALLYPORT_SECRET"
    : `the file ${place.path}${fixed === undefined ? "" : ` (which can't be replaced from here: ${fixed})`}`

const encrypted = (count: number) => (count === 0 ? "" : `${count} secrets were encrypted with the new key.\n`)

const added = ({ change, isWritten, fixed, dryRun }: Told): string => {
  const title = "Step 1 of 3: a new key, with which nothing is encrypted yet."
  if (dryRun) return `${title}\nNext, it is made, to be added after the present one.`
  const key = change.made === undefined ? "" : Redacted.value(change.made.text)
  if (isWritten && change.place._tag === "File") {
    return `${title}\nThe file ${change.place.path} now has both keys, the present one first. ${sameFile(change)}\n${AGAIN}`
  }
  return `${title}\nOn every node, add it to ${placeOf(change, fixed)} after the present one, with a comma in between${restarted(change)}:\n\n  <the present key>,${key}\n\n${AGAIN}\nIf this key gets lost before, just run the command again for another.`
}

const promoted = ({ change, isWritten, fixed, dryRun }: Told): string => {
  const [first, ...others] = change.keys
  if (first === undefined) return ""
  const title = `Step 2 of 3: every node has the new key, ${named(first)}, so it can go first.`
  const order = [first, ...others].map(({ id }) => `<${id}>`).join(",")
  if (dryRun) return `${title}\nNext, ${placeOf(change, fixed)} becomes ${order}.`
  const what =
    isWritten && change.place._tag === "File"
      ? `The file ${change.place.path} now has it first. ${sameFile(change)}`
      : `On every node, put it first in ${placeOf(change, fixed)}${restarted(change)}: ${order}`
  return `${title}\n${what}\n${AGAIN}`
}

const removed = ({ change, before, isWritten, fixed, old: kept, dryRun, reencrypted, finished }: Told): string => {
  const [first] = change.keys
  if (first === undefined) return ""
  const old = before.filter(({ id }) => id !== first.id).map(named)
  const title = `${encrypted(reencrypted)}Step 3 of 3: everything is encrypted with the new key, ${named(first)}. The old one, ${old.join(", ")}, can go.`
  if (dryRun) {
    const aside = change.place._tag === "File" ? `, and kept in ${change.place.path}.old` : ""
    return `${title}\nNext, it is taken out of ${placeOf(change, fixed)}${aside}.`
  }
  if (isWritten && change.place._tag === "File") {
    return finished
      ? `${encrypted(reencrypted)}The key was rotated: the file ${change.place.path} has the new one, ${named(first)}, alone. Start the service again.\n${keptAt(kept)}`
      : `${title}\nThe file ${change.place.path} now has the new one alone. ${sameFile(change)} ${ENDS}\n${keptAt(kept)}`
  }
  return `${title}\nOn every node, leave only the new one in ${placeOf(change, fixed)}${restarted(change)}. ${ENDS}\n${BACKUPS}`
}

/** Describes what was done and what to do next. */
export const wordsOf = (told: Told): string => {
  if (told.change.step === "Add") return added(told)
  return told.change.step === "Promote" ? promoted(told) : removed(told)
}
