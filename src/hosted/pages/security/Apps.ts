import { Effect } from "effect"
import { OAuthConsents } from "#core/oauth/OAuthConsents"
import { type AccountAction, redirectToSavedOn, userGone } from "../account/AccountPage.ts"
import { appsSection } from "./AppsView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section with the OAuth clients that have access to the user's account. */
export const apps = Effect.gen(function* () {
  const consents = yield* OAuthConsents

  const remove: AccountAction = (request, { user }, form) =>
    consents
      .remove(user, form("app"))
      .pipe(Effect.as(redirectToSaved(request, "access_removed")), Effect.catchTag("RealmNotFound", userGone))

  const section: SecuritySection = {
    show: ({ context }, { user }) =>
      Effect.map(consents.apps(user), (page) => (page.items.length === 0 ? undefined : appsSection(context, page))),
    actions: { remove_access: remove }
  }
  return section
})
