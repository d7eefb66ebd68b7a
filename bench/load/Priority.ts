import { setPriority } from "node:os"

/**
 * Gives the load generator priority over PostgreSQL on the same core. Otherwise its own delays would count as delays of
 * the service.
 */
export const prioritize = (niceness: number): void => {
  try {
    setPriority(niceness)
  } catch {
    // Only root may raise the priority. Without it, the figures include delays of the load generator.
  }
}
