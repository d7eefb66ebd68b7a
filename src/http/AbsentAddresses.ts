import { Context } from "effect"
import { apiUrlOf } from "./ConsolePaths.ts"

/**
 * Error codes for addresses that only some deployments serve, keyed by path. A code also applies to all paths below its key.
 */
export type AbsentAddresses = Readonly<
  Record<"/v2/test/clock" | "/v2/test/dns" | "/v2/test/faults" | "/v2/test/messages", string>
>

/**
 * The error codes returned for addresses that this deployment doesn't serve. The test kit overrides them with codes that name
 * its own methods.
 */
export const AbsentAddresses = Context.Reference<AbsentAddresses>("sallyport/http/AbsentAddresses", {
  defaultValue: () => ({
    "/v2/test/clock": "clock_needs_test_mode",
    "/v2/test/dns": "dns_needs_test_mode",
    "/v2/test/faults": "faults_need_test_mode",
    "/v2/test/messages": "no_mailbox"
  })
})

/** Returns the error code for a URL that doesn't exist. */
export const absentAddressCode = (addresses: AbsentAddresses, url: string): string => {
  const [path = ""] = (apiUrlOf(url) ?? url).split("?")
  const found = Object.entries(addresses).find(([address]) => path === address || path.startsWith(`${address}/`))
  return found?.[1] ?? "no_such_address"
}
