import { Effect, Predicate } from "effect"
import type { Failure } from "#client/Errors"
import type { Destination } from "./Destination.ts"

const isRealm = (value: unknown): value is { readonly id: string } =>
  Predicate.hasProperty(value, "id") && typeof value.id === "string"

/** Whether a call failed because its key is for all realms and no realm was given. */
export const lacksRealm = ({ details }: Failure): boolean =>
  details.some(({ field, code }) => field === "realm_id" && code === "blank")

/** Returns the service's only realm, or undefined if there are several or it can't be determined. */
const onlyRealm = ({ url, key, send }: Destination) =>
  Effect.tryPromise(async (signal) => {
    const response = await send(`${url}/v2/realms?max_results=2`, {
      method: "GET",
      headers: { authorization: `Bearer ${key}` },
      redirect: "manual",
      signal
    })
    const body: unknown = JSON.parse(await response.text())
    const realms: unknown = Predicate.hasProperty(body, "collection") ? body.collection : undefined
    const [first, ...others]: ReadonlyArray<unknown> = Array.isArray(realms) ? realms : []
    return others.length === 0 && isRealm(first) ? first.id : undefined
  }).pipe(
    Effect.timeout("5 seconds"),
    Effect.orElseSucceed(() => undefined)
  )

/** Advice for a call without a realm. Suggests the service's only realm, if there is just one. */
export const realmMissing = Effect.fnUntraced(function* (destination: Destination) {
  const realm = yield* onlyRealm(destination)
  return {
    happened: "This key is for all realms.",
    todo:
      realm === undefined
        ? "Choose a realm with --realm (sallyport realms list shows all)."
        : `Choose a realm with --realm. There is only one: --realm ${realm}`
  }
})
