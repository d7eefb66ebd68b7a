import { type NodeKeys, nodesWithProblems } from "./Nodes.ts"

/** An encryption key in the plan. */
export interface PlannedKey {
  readonly id: string
  readonly createdAt: number | undefined
}

/** The current state of a rotation. Nothing is stored between calls; each call determines it anew. */
export interface Situation {
  /** The keys of this environment. The key that encrypts comes first. */
  readonly keys: ReadonlyArray<PlannedKey>
  /** The numbers of stored secrets that are not encrypted with the first key, and that none of the keys can decrypt. */
  readonly older: number
  readonly missing: number
  readonly missingKeys: ReadonlyArray<string>
  /** The nodes named by the operator. */
  readonly nodes: ReadonlyArray<NodeKeys>
  /** Whether no other node can exist, or the operator confirms that all nodes have these keys. */
  readonly isSure: boolean
  /** The ID of the new key, if it can't be determined from the keys. */
  readonly newest: string | undefined
  /** Whether to rotate a recently created key. */
  readonly again: boolean
  /** In Unix milliseconds. */
  readonly now: number
}

/** The next step of a rotation. */
export type Step =
  /** The rotation can't continue: why, and what to do. */
  | { readonly _tag: "Refuse"; readonly happened: string; readonly todo: string }
  /** Add a new key after the current one. */
  | { readonly _tag: "Add" }
  /** All nodes have the new key, so move it to the front. */
  | { readonly _tag: "Promote"; readonly order: ReadonlyArray<string> }
  /** The new key is first, so re-encrypt everything with it. */
  | { readonly _tag: "Reencrypt"; readonly count: number }
  /** Everything is encrypted with the new key and all nodes encrypt with it, so remove the other keys. */
  | { readonly _tag: "Remove"; readonly newest: string }
  /** The rotation is complete. */
  | { readonly _tag: "Done"; readonly createdAt: number | undefined }

/** Keys newer than this are not rotated by accident. In milliseconds. */
const RECENT = 86_400_000

const refuse = (happened: string, todo: string): Step => ({ _tag: "Refuse", happened, todo })

/**
 * Returns the new key: the one given by the operator, otherwise the most recently created key, or undefined if it can't
 * be determined.
 */
const newestOf = ({ keys, newest }: Situation): PlannedKey | undefined => {
  if (newest !== undefined) return keys.find(({ id }) => id === newest)
  const [last, before] = [...keys].sort((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0))
  return last?.createdAt === undefined || last.createdAt === before?.createdAt ? undefined : last
}

const unsure = (todo: string) =>
  refuse(
    "Can't determine which keys the nodes have.",
    `Give each node with --node, such as --node http://10.0.0.5:9100 (its SALLYPORT_OPS_PORT). ${todo}`
  )

const behind = (nodes: ReadonlyArray<string>, happened: string, todo: string) =>
  refuse([happened, ...nodes.map((line) => `  - ${line}`)].join("\n"), todo)

const runAgain = "then run sallyport secrets rotate again."

const keysText = (ids: ReadonlyArray<string>) => `${ids.length === 1 ? "key" : "keys"} ${ids.join(", ")}`

/** Determines the next step. Rejects any step after which a node could encounter a secret that it can't decrypt. */
export const nextStep = (situation: Situation): Step => {
  const { keys, older, missing, missingKeys, nodes, isSure, again, now } = situation
  const ids = keys.map(({ id }) => id)
  if (missing > 0) {
    return refuse(
      `${missing} stored secrets are encrypted with a missing key (${missingKeys.join(", ") || "unknown"}).`,
      "Add that key back to SALLYPORT_SECRET after the others. If it is lost, these secrets are lost too; sallyport secrets status lists them."
    )
  }
  const [only] = keys
  if (keys.length === 1 && only !== undefined) {
    const ahead = nodesWithProblems(nodes, (has) => {
      const others = has.filter((id) => id !== only.id)
      if (!has.includes(only.id)) return `it doesn't have the ${keysText([only.id])}`
      return others.length === 0 ? undefined : `it still has the ${keysText(others)}`
    })
    if (ahead.length > 0) {
      return behind(
        ahead,
        "Not every node has this environment's only key:",
        `Restart those nodes with only that key, ${runAgain}`
      )
    }
    if (!again && only.createdAt !== undefined && now - only.createdAt < RECENT)
      return { _tag: "Done", createdAt: only.createdAt }
    return { _tag: "Add" }
  }
  const newest = newestOf(situation)
  if (newest === undefined) {
    return refuse(
      `Can't determine which key is new: ${ids.join(", ")}.`,
      "Give it with --new <key>. In the first step it is the last of the list, afterwards the first."
    )
  }
  const lacking = nodesWithProblems(nodes, (has) => {
    const missing = ids.filter((id) => !has.includes(id))
    return missing.length === 0 ? undefined : `it doesn't have the ${keysText(missing)}`
  })
  if (lacking.length > 0) {
    return behind(
      lacking,
      "Not every node has all keys, and a node without one can't decrypt all secrets:",
      `Restart those nodes with this environment's SALLYPORT_SECRET, ${runAgain}`
    )
  }
  if (nodes.length === 0 && !isSure) {
    return unsure("Or confirm with --yes that every node was restarted with this environment's SALLYPORT_SECRET.")
  }
  if (ids[0] !== newest.id) return { _tag: "Promote", order: [newest.id, ...ids.filter((id) => id !== newest.id)] }
  if (older > 0) return { _tag: "Reencrypt", count: older }
  const late = nodesWithProblems(nodes, ([first = "no key"]) =>
    first === newest.id ? undefined : `it still encrypts with ${first}, not with ${newest.id}`
  )
  if (late.length > 0) {
    return behind(
      late,
      "Everything is encrypted with the new key, but not every node encrypts with it yet:",
      `Restart those nodes with this environment's SALLYPORT_SECRET, ${runAgain}`
    )
  }
  return { _tag: "Remove", newest: newest.id }
}
