type Listener = (done: () => void) => void

let listener: Listener | undefined
let renewal: Promise<void> | undefined

/** Tells whoever shows the sign-in dialog that the session has ended. Returns how to stop listening. */
export const whenEnded = (next: Listener): (() => void) => {
  listener = next
  return () => {
    if (listener === next) listener = undefined
  }
}

/** Waits until somebody has signed in again. All calls that meet an ended session wait for one and the same sign-in. */
export const renewSession = (): Promise<void> => {
  renewal ??= new Promise<void>((resolve) => listener?.(resolve)).finally(() => {
    renewal = undefined
  })
  return renewal
}
