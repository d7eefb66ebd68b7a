import { Context } from "effect"
import { apiUrlOf } from "./ConsolePaths.ts"

/** The code of what is said at an address that only some services have, by that address and those below it. */
export type AbsentAddresses = Readonly<Record<"/v2/test/clock" | "/v2/test/faults" | "/v2/test/messages", string>>

/** What the service says at these addresses where it doesn't have them. The test kit says what to use in its place. */
export const AbsentAddresses = Context.Reference<AbsentAddresses>("sallyport/http/AbsentAddresses", {
  defaultValue: () => ({
    "/v2/test/clock": "clock_needs_test_mode",
    "/v2/test/faults": "faults_need_test_mode",
    "/v2/test/messages": "no_mailbox"
  })
})

/** The code of the problem that there is nothing at the address of a URL. */
export const absenceOf = (addresses: AbsentAddresses, url: string): string => {
  const [path = ""] = (apiUrlOf(url) ?? url).split("?")
  const found = Object.entries(addresses).find(([address]) => path === address || path.startsWith(`${address}/`))
  return found?.[1] ?? "no_such_address"
}
