/** A choice of how the console looks, as the browser remembers it. Never anything secret. */
export type Choice = "language" | "theme" | "realm"

const nameOf = (choice: Choice) => `sallyport-console-${choice}`

/** What was chosen before. Browsers that keep nothing remember nothing. */
export const remembered = (choice: Choice): string | undefined => {
  try {
    return localStorage.getItem(nameOf(choice)) ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers a choice, where the browser allows it. */
export const remember = (choice: Choice, value: string): void => {
  try {
    localStorage.setItem(nameOf(choice), value)
  } catch {
    // A private window may keep nothing; the choice then ends with the page.
  }
}
