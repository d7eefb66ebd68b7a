import { Redacted } from "effect"
import type { EncryptionKey, KeyPlace } from "#server/SecretKeys"
import { counted } from "../doctor/Finding.ts"

/** The changes of a rotation step. `keys`: the node's keys after the step. `made`: the key that the step created. */
export interface Change {
  readonly step: "Add" | "Promote" | "Remove"
  readonly place: KeyPlace
  readonly keys: ReadonlyArray<EncryptionKey>
  readonly createdKey: EncryptionKey | undefined
}

/** The result of a step. */
export interface StepResult {
  readonly change: Change
  /** The keys before the step. */
  readonly before: ReadonlyArray<EncryptionKey>
  /** Whether the keys were written to their file. `fixed`: the reason if not. */
  readonly isWritten: boolean
  readonly fixed?: string
  /** The file where the removed keys were saved. */
  readonly old?: string
  readonly dryRun: boolean
  readonly reencrypted: number
  /** Whether the step is complete because only the file next to the database had to change. */
  readonly finished: boolean
}

/** Identifies a key without revealing it. */
const named = ({ id, createdAt }: EncryptionKey): string =>
  createdAt === undefined ? id : `${id} (from ${new Date(createdAt).toISOString().slice(0, 16).replace("T", " ")} UTC)`

/** Explains that a node must be restarted to apply changed keys. Key files named in a setting are reread when they change. */
const restarted = ({ place }: Change): string => (place._tag === "File" && !place.ownDatabase ? "" : ", and restart it")

/** Explains how nodes get a changed file. */
const distributeFile = (change: Change): string =>
  `Give every node the same file${restarted(change)}.${restarted(change) === "" ? " Nodes load it within seconds, without a restart." : ""}`

const AGAIN = "Then run sallyport secrets rotate again, with the new settings, and give every node with --node."

const BACKUPS = "Keep the old key as long as you keep older backups, which need it."

const ENDS =
  "This completes the rotation. Afterwards, run sallyport secrets rotate --dry-run with every --node to find nodes that still have the old key."

/** Explains where the old key was saved, and why it is still needed. */
const oldKeyNote = (old: string | undefined) =>
  old === undefined
    ? BACKUPS
    : `The old key is now in ${old}, readable only by its owner. Older backups need it: move it to where you keep them, and delete it with the last of them.`

/** The place where a node's keys must be changed. */
const placeOf = ({ place }: Change, fixed?: string) =>
  place._tag === "Environment"
    ? "SALLYPORT_SECRET"
    : `the file ${place.path}${fixed === undefined ? "" : ` (which can't be replaced from here: ${fixed})`}`

const encrypted = (count: number) => (count === 0 ? "" : `Re-encrypted ${counted(count, "secret")} with the new key.\n`)

const added = ({ change, isWritten, fixed, dryRun }: StepResult): string => {
  const title = "Step 1 of 3: add a new key. Nothing is encrypted with it yet."
  if (dryRun) return `${title}\nNext step: create it and add it after the current key.`
  const key = change.createdKey === undefined ? "" : Redacted.value(change.createdKey.text)
  if (isWritten && change.place._tag === "File") {
    return `${title}\nThe file ${change.place.path} now has both keys, the current one first. ${distributeFile(change)}\n${AGAIN}`
  }
  return `${title}\nOn every node, add it to ${placeOf(change, fixed)} after the current one, separated by a comma${restarted(change)}:\n\n  <current key>,${key}\n\n${AGAIN}\nIf you lose this key before then, run the command again to get another.`
}

const promoted = ({ change, isWritten, fixed, dryRun }: StepResult): string => {
  const [first, ...others] = change.keys
  if (first === undefined) return ""
  const title = `Step 2 of 3: every node has the new key, ${named(first)}, so it can be moved to the front.`
  const order = [first, ...others].map(({ id }) => `<${id}>`).join(",")
  if (dryRun) return `${title}\nNext step: change ${placeOf(change, fixed)} to ${order}.`
  const what =
    isWritten && change.place._tag === "File"
      ? `The file ${change.place.path} now has it first. ${distributeFile(change)}`
      : `On every node, put it first in ${placeOf(change, fixed)}${restarted(change)}: ${order}`
  return `${title}\n${what}\n${AGAIN}`
}

const removed = ({
  change,
  before,
  isWritten,
  fixed,
  old: kept,
  dryRun,
  reencrypted,
  finished
}: StepResult): string => {
  const [first] = change.keys
  if (first === undefined) return ""
  const old = before.filter(({ id }) => id !== first.id).map(named)
  const title = `${encrypted(reencrypted)}Step 3 of 3: everything is encrypted with the new key, ${named(first)}. The old key, ${old.join(", ")}, can be removed.`
  if (dryRun) {
    const aside = change.place._tag === "File" ? `, and save it in ${change.place.path}.old` : ""
    return `${title}\nNext step: remove it from ${placeOf(change, fixed)}${aside}.`
  }
  if (isWritten && change.place._tag === "File") {
    return finished
      ? `${encrypted(reencrypted)}The key was rotated: the file ${change.place.path} now contains only the new key, ${named(first)}. Start the service again.\n${oldKeyNote(kept)}`
      : `${title}\nThe file ${change.place.path} now contains only the new key. ${distributeFile(change)} ${ENDS}\n${oldKeyNote(kept)}`
  }
  return `${title}\nOn every node, keep only the new key in ${placeOf(change, fixed)}${restarted(change)}. ${ENDS}\n${BACKUPS}`
}

/** Describes what was done and what to do next. */
export const describeStep = (result: StepResult): string => {
  if (result.change.step === "Add") return added(result)
  return result.change.step === "Promote" ? promoted(result) : removed(result)
}
