import { Context } from "effect"

/** The origin of the page that a request comes from, on the host of a connected app: what passkeys are bound to. */
export const PageOrigin = Context.Reference<string | undefined>("sallyport/domain/PageOrigin", {
  defaultValue: () => undefined
})
