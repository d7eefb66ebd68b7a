import { answer } from "./Attempts.ts"
import type { CallOptions, Operation } from "./Form.ts"
import type { Page } from "./List.ts"
import type { Settings } from "./Options.ts"
import { prepare } from "./Requests.ts"

/** A page as returned by the API. */
interface Answered<A> {
  readonly collection: ReadonlyArray<A & { readonly id: string }>
  readonly more_results: boolean
  readonly total_results?: number
}

/** The value of `after` for the next page, from a response's `Link` header. */
const nextIn = (link: string | null): string | undefined => {
  const [, target = ""] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? "") ?? []
  return new URLSearchParams(target.slice(target.indexOf("?") + 1)).get("after") ?? undefined
}

/** Returns the page of a list after an item, or the page that the parameters request. */
export const pageOf = async <A>(
  settings: Settings,
  operation: Operation,
  path: ReadonlyArray<string>,
  parameters: object = {},
  options: CallOptions | undefined,
  after: string | undefined
): Promise<Page<A>> => {
  const query = after === undefined ? parameters : { ...parameters, after }
  const prepared = prepare(settings, operation, path, query, options)
  const { content, headers } = await answer<Answered<A>>(settings, prepared, options)
  const { collection, more_results, total_results } = content
  const next = nextIn(headers.get("link")) ?? collection.at(-1)?.id
  // If the next page would be the same page, the list ends here, regardless of `more_results`.
  const page = { items: collection, more_results, after: more_results && next !== after ? next : undefined }
  return total_results === undefined ? page : { ...page, total_results }
}
