import { Context } from "effect"

/** The number of processes that serve the same port and share the machine and the database (C62). */
export const WorkerCount = Context.Reference<number>("sallyport/platform/WorkerCount", { defaultValue: () => 1 })

/** One process's share of a limit that applies to all processes together. */
export const shareOf = (limit: number, workers: number): number => Math.ceil(limit / workers)
