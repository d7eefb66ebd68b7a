import { setPriority } from "node:os"

/**
 * Raises the load's priority over PostgreSQL on the same core. Otherwise a late sender would look like a slow service.
 */
export const prioritize = (niceness: number): void => {
  try {
    setPriority(niceness)
  } catch {
    // Only root may raise the priority. Without it, the figures include delays of the load itself.
  }
}
