import { Context } from "effect"
import type { DnsPlan } from "#domain/DnsPlan"

/** The DNS records that callers have set in test mode. */
export class TestDns extends Context.Service<TestDns, DnsPlan>()("sallyport/platform/TestDns") {}
