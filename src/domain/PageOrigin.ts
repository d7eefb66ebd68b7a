import { Context } from "effect"

/** The origin of the page that sent the request, on a connected app's host. Passkeys are bound to it. */
export const PageOrigin = Context.Reference<string | undefined>("sallyport/domain/PageOrigin", {
  defaultValue: () => undefined
})
