import { request } from "./Attempts.ts"
import type { CallOptions, Operation } from "./Form.ts"
import type { Page } from "./List.ts"
import type { Settings } from "./Options.ts"
import { prepare } from "./Requests.ts"

/** A page as the API answers it. */
interface Answered<A> {
  readonly collection: ReadonlyArray<A & { readonly id: string }>
  readonly more_results: boolean
}

/** The page of a list after an item, or that which the parameters name. */
export const pageOf = async <A>(
  settings: Settings,
  operation: Operation,
  path: ReadonlyArray<string>,
  parameters: object = {},
  options: CallOptions | undefined,
  after: string | undefined
): Promise<Page<A>> => {
  const asked = after === undefined ? parameters : { ...parameters, after }
  const prepared = prepare(settings, operation, path, asked, options)
  const { collection, more_results } = await request<Answered<A>>(settings, prepared, options)
  const last = collection.at(-1)?.id
  // A list that goes nowhere ends here, whatever it says.
  return { items: collection, more_results, after: more_results && last !== after ? last : undefined }
}
