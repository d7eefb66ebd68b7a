// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/**
 * Your own attributes, at most 16 KiB of JSON. Keys are letters, digits and underscores, and are case-sensitive; values
 * are text, numbers, booleans, null, or lists of these types. They can't be searched.
 */
export type Custom = { readonly [name: string]: string | number | boolean | null | ReadonlyArray<unknown> }
