import { Context } from "effect"

/** The share of requests that are traced, from 0 to 1, unless a trusted proxy has decided (C232). */
export const TraceSampling = Context.Reference<number>("sallyport/platform/TraceSampling", { defaultValue: () => 1 })
