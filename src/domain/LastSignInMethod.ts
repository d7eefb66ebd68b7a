/** A user's login method, as currently allowed by the realm. */
export interface SignInMethod {
  /** The id of the credential. */
  readonly id: string
  /** Whether a login can start with it. */
  readonly canStartLogin: boolean
  /** Whether it counts as a second factor. */
  readonly isSecondFactor: boolean
}

/** The reason why a user may not remove one of their own login methods. */
export type RemovalProblem = "last_way_in" | "last_second_factor"

/**
 * The reason why a user may not remove one of their own login methods, or undefined if they may. They must still be able to
 * log in, and have a second factor if the realm requires one. A requirement that is already unmet does not prevent the
 * removal. `methods` includes the one to remove.
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
