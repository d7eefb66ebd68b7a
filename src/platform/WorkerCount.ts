import { Context } from "effect"

/** The number of processes that serve one port together, and share the machine and the database (C62). */
export const WorkerCount = Context.Reference<number>("sallyport/platform/WorkerCount", { defaultValue: () => 1 })

/** The share that one process has of a limit for all processes. */
export const shareOf = (limit: number, workers: number): number => Math.ceil(limit / workers)
