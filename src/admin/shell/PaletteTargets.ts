/** A destination of the palette, or an action on the page's resource. */
export interface Target {
  readonly to: string | (() => void)
  readonly text: string
  readonly detail?: string | undefined
}

export interface TargetGroup {
  readonly name: string
  readonly targets: ReadonlyArray<Target>
}

/** The maximum number of matches of a kind. */
export const MAX_MATCHES = 6

/** Whether a text contains what was typed, in any case. */
export const matches = (text: string, typed: string): boolean =>
  typed === "" || text.toLocaleLowerCase().includes(typed.toLocaleLowerCase())
