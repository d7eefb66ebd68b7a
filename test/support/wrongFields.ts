import { expect } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { hashCountAt, service } from "./sallyport.ts"

let shared: Promise<GivenRealm> | undefined

/** One realm for tests that change nothing in it. */
export const realmOf = () => (shared ??= service().then(({ given }) => given.realm()))

/** Field and code of each problem in a rejection. */
export const codes = ({ body }: Reply): ReadonlyArray<readonly [string, string]> =>
  Reflect.get(Object(body), "error_details").map(({ field, code }: { field: string; code: string }) => [field, code])

/** The response to a request that must create nothing, compute no hash and record no event. */
export const sideEffectFree = async (call: (realm: GivenRealm) => Promise<Reply>) => {
  const realm = await realmOf()
  const { url } = await service()
  const hashes = hashCountAt(url)
  const { result, events } = await realm.seen.during(() => call(realm))
  expect([result.status, events, hashCountAt(url)]).toEqual([422, [], hashes])
  return codes(result)
}
