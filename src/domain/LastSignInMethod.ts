/** A login method of a user, as the realm currently allows it. */
export interface SignInMethod {
  /** The id of the credential. */
  readonly id: string
  /** Whether a login can start with it. */
  readonly canStartLogin: boolean
  /** Whether it counts as a second factor. */
  readonly isSecondFactor: boolean
}

/** Why users may not remove a login method themselves. */
export type RemovalProblem = "last_way_in" | "last_second_factor"

/**
 * Why a user may not remove one of their own login methods: they could no longer log in or, if the realm requires two factors,
 * would have no second one. Undefined: they may. `methods`: all methods of the user, including the one to remove. A requirement
 * that is already unmet does not prevent the removal.
 */
export const removalProblem = (
  methods: ReadonlyArray<SignInMethod>,
  removedId: string,
  { requiresMfa }: { readonly requiresMfa: boolean }
): RemovalProblem | undefined => {
  const isLost = (counts: (method: SignInMethod) => boolean): boolean => {
    const relevant = methods.filter(counts)
    return relevant.length > 0 && relevant.every(({ id }) => id === removedId)
  }
  if (isLost(({ canStartLogin }) => canStartLogin)) return "last_way_in"
  return requiresMfa && isLost(({ isSecondFactor }) => isSecondFactor) ? "last_second_factor" : undefined
}
