import type { Sallyport } from "#client/Sallyport"

/** The data that a form has loaded, to detect concurrent changes. */
export interface Loaded {
  /** Reads the current version. */
  readonly read: (sdk: Sallyport) => Promise<object>
  /** The version that the form shows. */
  readonly seen: object
  /** The members that the form is about to change. */
  readonly changes: object
}

/** Thrown if someone else changed a member that the form is about to change. */
export class ConcurrentChange extends Error {
  readonly _tag = "ChangedMeanwhile"
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Rejects with `ConcurrentChange` if a member to be changed no longer has the value that the form showed. Other members
 * may differ.
 */
export const requireUnchanged = async ({ read, seen, changes }: Loaded, sdk: Sallyport): Promise<void> => {
  const current = await read(sdk)
  const changed = Object.keys(changes).some((name) => !same(Reflect.get(current, name), Reflect.get(seen, name)))
  if (changed) throw new ConcurrentChange()
}
