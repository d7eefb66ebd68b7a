import type { Sallyport } from "#client/Sallyport"

/** What a form knows of the thing that it changes. */
export interface Loaded {
  /** Reads the thing again. */
  readonly read: (sdk: Sallyport) => Promise<object>
  /** The thing as the form shows it. */
  readonly seen: object
  /** The members that the form is about to change. */
  readonly changes: object
}

/** Somebody else has changed what a form was about to change. */
export class ChangedMeanwhile extends Error {
  readonly _tag = "ChangedMeanwhile"
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Rejects if a member that is about to be changed is no longer what the form has shown. Other members may differ. */
export const requireUnchanged = async ({ read, seen, changes }: Loaded, sdk: Sallyport): Promise<void> => {
  const current = await read(sdk)
  const changed = Object.keys(changes).some((name) => !same(Reflect.get(current, name), Reflect.get(seen, name)))
  if (changed) throw new ChangedMeanwhile()
}
