import { Effect } from "effect"
import type { KeptBrowser } from "#core/limits/KnownBrowsers"
import type { Kept } from "#core/sessions/BrowserSessions"
import type { CurrentRealm } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { type ReturnTarget, returnPageOf } from "#domain/ReturnUrl"
import { presence } from "#domain/Text"
import type { AppPageWord, Refusal } from "./Errors.ts"
import type { Filled } from "./Form.ts"
import type { Page } from "./markup/Document.ts"
import type { Carried, FieldError } from "./markup/Fields.ts"
import type { AppCall } from "./RequestShell.ts"

/** A request for a page on the host of an app. */
export interface PageCall extends AppCall {
  readonly query: Filled
}

/** What a request comes to: a page, or the way to another address; and what the browser keeps from now on. */
export type Turn = ({ readonly page: Page } | { readonly to: string }) & {
  readonly keeps?: Kept | "none"
  /** By what the browser is known again, where its session stays as it is. */
  readonly remembers?: KeptBrowser
}

/** A page on the host of an app. */
export interface AppPage {
  /** Shows it. Links are followed by all kinds of programs, so that showing changes nothing. */
  show(call: PageCall): Effect.Effect<Turn, AppPageWord, CurrentRealm>
  /** Does what a form of it asks for. */
  act(call: PageCall, form: Filled): Effect.Effect<Turn, AppPageWord, CurrentRealm>
}

/** What goes along from page to page until somebody is logged in: where they go then. */
export const carriedIn = (said: Filled): Carried => {
  const redirectUri = presence(said("redirect_uri"))
  const state = presence(said("state"))
  const next = returnPageOf(said("next"))
  return {
    ...(redirectUri === null ? {} : { redirect_uri: redirectUri }),
    ...(state === null ? {} : { state }),
    ...(next === null ? {} : { next })
  }
}

/** How the app is told of a login, of what goes along. */
export const wayBackOf = (carried: Carried): ReturnTarget => ({
  returnTo: carried["redirect_uri"] ?? null,
  state: carried["state"] ?? null
})

/** A complaint about a form. */
export const complaint = (text: string, field: string | null = null): Refusal => ({
  status: 422,
  errors: [{ field, text }]
})

/** A page whose forms may lead to the app in the end. */
export const leadingTo = (place: string | null, page: Page): Page => (place === null ? page : { ...page, next: place })

/** A page as a turn. */
export const shows = (page: Page): Turn => ({ page })

/** Refuses a field that was left blank. */
export const filledIn = (form: Filled, field: string): Effect.Effect<string, Rejected> => {
  const typed = presence(form(field))
  return typed === null ? Effect.fail(rejected(field, "blank")) : Effect.succeed(typed.trim())
}

/** The errors of a form that comes back. */
export type Errors = ReadonlyArray<FieldError>
