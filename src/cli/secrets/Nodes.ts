import { Effect } from "effect"
import type { Fetch } from "#client/Fetch"
import { askReadiness, whyUnanswered } from "../doctor/ServiceAnswer.ts"

/** A node, as it was named, and the ids of its encryption keys, the first of which encrypts; a text says why nobody knows. */
export interface NodeKeys {
  readonly url: string
  readonly keys: ReadonlyArray<string> | string
}

/** Asks nodes which encryption keys they were started with. `key`: nodes tell operators only. */
export const askNodes = (fetch: Fetch, urls: ReadonlyArray<string>, key: string | undefined) =>
  Effect.forEach(
    urls,
    (url): Effect.Effect<NodeKeys> =>
      Effect.map(askReadiness(fetch, url, key), (answer) => {
        if (answer._tag === "Unanswered") return { url, keys: `it can't be reached: ${whyUnanswered(answer)}` }
        const { readiness } = answer
        if (readiness === undefined) return { url, keys: "what answers there is not Sallyport" }
        if (readiness.encryption_keys !== undefined) return { url, keys: readiness.encryption_keys }
        const why =
          key === undefined
            ? "set SALLYPORT_KEY, or name its operators' port"
            : "the key is not one of level admin_all_realms"
        return { url, keys: `it doesn't tell strangers: ${why}` }
      }),
    { concurrency: 8 }
  )

/** The nodes with whose keys something is wrong, each with what `wrong` says of it, or why its keys are not known. */
export const nodesWithout = (
  nodes: ReadonlyArray<NodeKeys>,
  wrong: (keys: ReadonlyArray<string>) => string | undefined
): ReadonlyArray<string> =>
  nodes.flatMap(({ url, keys }) => {
    const why = typeof keys === "string" ? keys : wrong(keys)
    return why === undefined ? [] : [`${url}: ${why}`]
  })
