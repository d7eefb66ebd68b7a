import { setPriority } from "node:os"

/** Raises the priority of the load over PostgreSQL, which shares its core, so that a late sender does not count as a slow service. */
export const prioritize = (niceness: number): void => {
  try {
    setPriority(niceness)
  } catch {
    // Only root may raise the priority. Without it the figures include the lateness of the load.
  }
}
