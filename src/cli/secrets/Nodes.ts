import { Effect } from "effect"
import type { Fetch } from "#client/Fetch"
import { fetchReadiness, noResponseReason } from "../doctor/ServiceResponse.ts"

/**
 * A node and the IDs of its encryption keys. The key that encrypts comes first. If the keys are unknown, a text
 * explains why.
 */
export interface NodeKeys {
  readonly url: string
  readonly keys: ReadonlyArray<string> | string
}

/** Requests the IDs of the encryption keys from nodes. `key`: an operator's key, because nodes respond only to operators. */
export const fetchNodeKeys = (fetch: Fetch, urls: ReadonlyArray<string>, key: string | undefined) =>
  Effect.forEach(
    urls,
    (url): Effect.Effect<NodeKeys> =>
      Effect.map(fetchReadiness(fetch, url, key), (answer) => {
        if (answer._tag === "Unanswered") return { url, keys: `it can't be reached: ${noResponseReason(answer)}` }
        const { readiness } = answer
        if (readiness === undefined) return { url, keys: "the server is not Sallyport" }
        if (readiness.encryption_keys !== undefined) return { url, keys: readiness.encryption_keys }
        const why =
          key === undefined
            ? "set SALLYPORT_KEY, or use its operations port"
            : "the key's level is not admin_all_realms"
        return { url, keys: `its keys are hidden: ${why}` }
      }),
    { concurrency: 8 }
  )

/** The nodes that have a problem: their keys are unknown, or `wrong` returns a problem with their keys. */
export const nodesWithProblems = (
  nodes: ReadonlyArray<NodeKeys>,
  wrong: (keys: ReadonlyArray<string>) => string | undefined
): ReadonlyArray<string> =>
  nodes.flatMap(({ url, keys }) => {
    const why = typeof keys === "string" ? keys : wrong(keys)
    return why === undefined ? [] : [`${url}: ${why}`]
  })
