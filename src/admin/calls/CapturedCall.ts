import { Sallyport } from "#client/Sallyport"
import { curlCommand, pastedJson } from "./ShellText.ts"
import type { Write } from "./Writes.ts"

/** A captured API call, to be copied and run elsewhere. */
export interface CapturedCall {
  readonly curl: string
  readonly sdk: string
}

const indented = (value: unknown): string => {
  const json = pastedJson(JSON.stringify(value, null, 2) ?? "undefined")
  return json.replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
}

/** Captures the call that a write would make, as a curl command and an SDK call. Nothing is sent. */
export const captureCall = async (
  write: Write<unknown>,
  url: string,
  realmId: string | undefined
): Promise<CapturedCall> => {
  let curl = ""
  const calls: Array<string> = []
  const silent = new Sallyport({
    url,
    realmId,
    retries: 0,
    fetch: (address, init) => {
      curl = curlCommand(address, init)
      return Promise.reject(new Error("Nothing is sent."))
    }
  })
  /** A stand-in for the SDK that records the name and arguments of each called function. */
  const listening = new Proxy(silent, {
    get: (target, name) => {
      const resource: unknown = Reflect.get(target, name)
      if (typeof resource !== "object" || resource === null) return resource
      return new Proxy(resource, {
        get: (functions, verb) => {
          const call: unknown = Reflect.get(functions, verb)
          if (typeof call !== "function") return call
          return (...given: ReadonlyArray<unknown>) => {
            calls.push(`await sallyport.${String(name)}.${String(verb)}(${given.map(indented).join(", ")})`)
            return Reflect.apply(call, functions, given)
          }
        }
      })
    }
  })
  await write(listening).catch(() => undefined)
  const made = `const sallyport = new Sallyport({ url: ${JSON.stringify(url.replace("/console/api", ""))}, key: SALLYPORT_KEY${realmId === undefined ? "" : `, realmId: ${JSON.stringify(realmId)}`} })`
  return { curl, sdk: ['import { Sallyport } from "sallyport"', "", made, ...calls].join("\n") }
}
