/** What a user can log in with, as the realm allows it at the moment. */
export interface SignInMethod {
  /** The id of the credential. */
  readonly id: string
  /** Whether a login may begin with it. */
  readonly isWayIn: boolean
  /** Whether it counts as a second factor. */
  readonly isSecondFactor: boolean
}

/** Why users may not remove a login method themselves. */
export type KeptMethod = "last_way_in" | "last_second_factor"

/**
 * Why users may not remove one of their own login methods: they would be left without a way in or, where the realm requires
 * two factors, without a second one. Undefined: they may. `methods`: all that the user has, the one to be removed among them.
 * A way in that the user does not have already is not lost.
 */
export const keptMethod = (
  methods: ReadonlyArray<SignInMethod>,
  removed: string,
  { requiresMfa }: { readonly requiresMfa: boolean }
): KeptMethod | undefined => {
  const isLost = (counts: (method: SignInMethod) => boolean): boolean => {
    const counted = methods.filter(counts)
    return counted.length > 0 && counted.every(({ id }) => id === removed)
  }
  if (isLost(({ isWayIn }) => isWayIn)) return "last_way_in"
  return requiresMfa && isLost(({ isSecondFactor }) => isSecondFactor) ? "last_second_factor" : undefined
}
