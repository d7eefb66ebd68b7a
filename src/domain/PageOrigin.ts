import { Context } from "effect"

/** The origin of the page that sent the request, on the host of a connected app. Passkeys are bound to it. */
export const PageOrigin = Context.Reference<string | undefined>("sallyport/domain/PageOrigin", {
  defaultValue: () => undefined
})
