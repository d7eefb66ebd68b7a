import { Context, type Effect } from "effect"
import type { DnsAnswer } from "#domain/DnsAnswer"

/** Looks up TXT records. */
export class Dns extends Context.Service<
  Dns,
  {
    /** Asks all resolvers for the TXT records of a name. Returns the answer of each. Takes 8 seconds at most. */
    txt(name: string): Effect.Effect<ReadonlyArray<DnsAnswer>>
  }
>()("sallyport/platform/Dns") {}
