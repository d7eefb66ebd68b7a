type Listener = (done: () => void) => void

let listener: Listener | undefined
let renewal: Promise<void> | undefined

/** Registers the login dialog's listener for ended sessions. Returns a function that unregisters it. */
export const onSessionEnded = (next: Listener): (() => void) => {
  listener = next
  return () => {
    if (listener === next) listener = undefined
  }
}

/** Waits until the user has logged in again. All calls that find the session ended share one login. */
export const renewSession = (): Promise<void> => {
  renewal ??= new Promise<void>((resolve) => listener?.(resolve)).finally(() => {
    renewal = undefined
  })
  return renewal
}
