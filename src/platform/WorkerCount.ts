import { Context } from "effect"

/** How many processes serve one port together, and share the machine and the database (C62). */
export const WorkerCount = Context.Reference<number>("sallyport/platform/WorkerCount", { defaultValue: () => 1 })

/** The part that one process has of a limit for all of them. */
export const shareOf = (limit: number, workers: number): number => Math.ceil(limit / workers)
