import { Context } from "effect"

/** The share of requests to trace, from 0 to 1. It applies unless a trusted proxy has already decided (C232). */
export const TraceSampling = Context.Reference<number>("sallyport/platform/TraceSampling", { defaultValue: () => 1 })
