/** A display preference stored in the browser. Never anything secret. */
export type Choice = "language" | "theme" | "realm"

const nameOf = (choice: Choice) => `sallyport-console-${choice}`

/** Returns the stored preference. Undefined if there is none, or if the browser blocks storage. */
export const storedPreference = (choice: Choice): string | undefined => {
  try {
    return localStorage.getItem(nameOf(choice)) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a preference if the browser allows it. */
export const storePreference = (choice: Choice, value: string): void => {
  try {
    localStorage.setItem(nameOf(choice), value)
  } catch {
    // Private windows may block storage. The preference then lasts until the page is closed.
  }
}
