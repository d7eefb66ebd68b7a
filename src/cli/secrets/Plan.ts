import { type NodeKeys, nodesWithout } from "./Nodes.ts"

/** A key as the plan knows it. */
export interface PlannedKey {
  readonly id: string
  readonly madeAt: number | undefined
}

/** What a rotation goes by. Nothing of it is remembered between two calls: everything is found out anew. */
export interface Situation {
  /** The keys of this environment, the first of which encrypts. */
  readonly keys: ReadonlyArray<PlannedKey>
  /** How many stored secrets are not encrypted with the first key, and how many with none of the keys. */
  readonly older: number
  readonly missing: number
  readonly missingKeys: ReadonlyArray<string>
  /** The nodes that were named. */
  readonly nodes: ReadonlyArray<NodeKeys>
  /** Whether there can be no other node, or somebody says that all nodes have the keys of this environment. */
  readonly isSure: boolean
  /** Which key is the new one, where the keys don't tell. */
  readonly newest: string | undefined
  /** Whether to rotate a key that was made a short time ago. */
  readonly again: boolean
  /** Unix milliseconds. */
  readonly now: number
}

/** What comes next in a rotation. */
export type Step =
  /** It can't go on: why, and what to do. */
  | { readonly _tag: "Refuse"; readonly happened: string; readonly todo: string }
  /** A new key is added after the present one. */
  | { readonly _tag: "Add" }
  /** Every node has the new key: it goes first. */
  | { readonly _tag: "Promote"; readonly order: ReadonlyArray<string> }
  /** The new key is first: everything is encrypted with it. */
  | { readonly _tag: "Reencrypt"; readonly count: number }
  /** Everything is encrypted with the new key, and no node encrypts with another: the others can go. */
  | { readonly _tag: "Remove"; readonly newest: string }
  /** The rotation is over. */
  | { readonly _tag: "Done"; readonly madeAt: number | undefined }

/** A key that was made so short a time ago is not rotated by mistake, in milliseconds. */
const RECENT = 86_400_000

const refuse = (happened: string, todo: string): Step => ({ _tag: "Refuse", happened, todo })

/** The new key: the one that somebody names, else the one that was made last; undefined if nobody can tell. */
const newestOf = ({ keys, newest }: Situation): PlannedKey | undefined => {
  if (newest !== undefined) return keys.find(({ id }) => id === newest)
  const [last, before] = [...keys].sort((one, other) => (other.madeAt ?? 0) - (one.madeAt ?? 0))
  return last?.madeAt === undefined || last.madeAt === before?.madeAt ? undefined : last
}

const unsure = (todo: string) =>
  refuse(
    "Nobody can see from here which keys the nodes have.",
    `Name each node with --node, such as --node http://10.0.0.5:9100 (its SALLYPORT_OPS_PORT). ${todo}`
  )

const behind = (nodes: ReadonlyArray<string>, happened: string, todo: string) =>
  refuse([happened, ...nodes.map((line) => `  - ${line}`)].join("\n"), todo)

const runAgain = "then run sallyport secrets rotate again."

const keysText = (ids: ReadonlyArray<string>) => `${ids.length === 1 ? "key" : "keys"} ${ids.join(", ")}`

/** What comes next. It is refused wherever a node would meet a secret that it can't decrypt. */
export const nextStep = (situation: Situation): Step => {
  const { keys, older, missing, missingKeys, nodes, isSure, again, now } = situation
  const ids = keys.map(({ id }) => id)
  if (missing > 0) {
    return refuse(
      `${missing} stored secrets are encrypted with a key that is not here (${missingKeys.join(", ") || "unknown"}).`,
      "Add that key to SALLYPORT_SECRET again, after the others. If it is lost, so are they: sallyport secrets status shows what they are."
    )
  }
  const [only] = keys
  if (keys.length === 1 && only !== undefined) {
    const ahead = nodesWithout(nodes, (has) => {
      const others = has.filter((id) => id !== only.id)
      if (!has.includes(only.id)) return `it doesn't have the ${keysText([only.id])}`
      return others.length === 0 ? undefined : `it still has the ${keysText(others)}`
    })
    if (ahead.length > 0) {
      return behind(
        ahead,
        "Not every node has the one key of this environment:",
        `Restart those nodes with that key alone, ${runAgain}`
      )
    }
    if (!again && only.madeAt !== undefined && now - only.madeAt < RECENT) return { _tag: "Done", madeAt: only.madeAt }
    return { _tag: "Add" }
  }
  const newest = newestOf(situation)
  if (newest === undefined) {
    return refuse(
      `The keys don't tell which of them is the new one: ${ids.join(", ")}.`,
      "Say it with --new <key>. In the first step it is the last of the list, afterwards the first."
    )
  }
  const lacking = nodesWithout(nodes, (has) => {
    const missing = ids.filter((id) => !has.includes(id))
    return missing.length === 0 ? undefined : `it doesn't have the ${keysText(missing)}`
  })
  if (lacking.length > 0) {
    return behind(
      lacking,
      "Not every node has all keys, and a node without one meets secrets that it can't decrypt:",
      `Restart those nodes with the SALLYPORT_SECRET of this environment, ${runAgain}`
    )
  }
  if (nodes.length === 0 && !isSure) {
    return unsure("Or say with --yes that every node was restarted with the SALLYPORT_SECRET of this environment.")
  }
  if (ids[0] !== newest.id) return { _tag: "Promote", order: [newest.id, ...ids.filter((id) => id !== newest.id)] }
  if (older > 0) return { _tag: "Reencrypt", count: older }
  const late = nodesWithout(nodes, ([first = "no key"]) =>
    first === newest.id ? undefined : `it still encrypts with ${first}, not with ${newest.id}`
  )
  if (late.length > 0) {
    return behind(
      late,
      "Everything is encrypted with the new key, but not every node encrypts with it yet:",
      `Restart those nodes with the SALLYPORT_SECRET of this environment, ${runAgain}`
    )
  }
  return { _tag: "Remove", newest: newest.id }
}
