import { lookup } from "node:dns/promises"
import { Effect } from "effect"
import { ok, problem } from "../Finding.ts"
import { type Check, isThisMachine } from "../Subject.ts"

/** Checks whether the hosts of login pages resolve. */
export const loginHosts: Check = {
  name: "login hosts",
  place: "settings",
  run: ({ settings: { loginDomain, region } }) => {
    const parent = `${region}.${loginDomain}`
    if (isThisMachine(parent)) return Effect.succeed([])
    return Effect.tryPromise(() => lookup(`doctor.${parent}`)).pipe(
      Effect.match({
        onSuccess: ({ address }) => ok(`The login page hosts, *.${parent}, resolve to ${address}.`),
        onFailure: () =>
          problem(
            `The login page hosts, *.${parent}, don't resolve, so nobody can reach a login page.`,
            `Add a wildcard record for *.${parent} to your DNS, and include the name in the proxy's certificate.`
          )
      })
    )
  }
}
