import { Context } from "effect"

/** Which part of the requests is traced, from 0 to 1, where no trusted proxy has decided that (C232). */
export const TraceSampling = Context.Reference<number>("sallyport/platform/TraceSampling", { defaultValue: () => 1 })
