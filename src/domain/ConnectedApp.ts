import { Context, Data, type DateTime } from "effect"
import type { LoginPolicyId, RealmId } from "./Ids.ts"

export const appStates = ["active", "inactive"] as const

/** What signing up on the hosted pages makes (decision 41). */
export const signupModes = ["none", "user", "user_org", "user_token"] as const

/** How many redirect URIs an app may have. */
export const MOST_REDIRECT_URIS = 100

/** The longest header or footer, in characters: 64 KiB (decision 10a). */
export const MARKUP_LENGTH = 65_536

/** The hosted pages of a realm: where they are, how they look, where they lead (api-v1 section 2, "Connected app"). */
export interface ConnectedApp {
  readonly id: LoginPolicyId
  readonly realmId: RealmId
  readonly state: (typeof appStates)[number]
  readonly name: string
  /** Nobody else's, of all realms. */
  readonly subdomain: string
  /** HTML above and below the pages, as it was typed. */
  readonly header: string | null
  readonly footer: string | null
  readonly externalCss: string | null
  /** Null only where `/v2` made the app. */
  readonly loginHandler: string | null
  readonly signupHandler: string | null
  readonly redirectUris: ReadonlyArray<string>
  readonly signupMode: (typeof signupModes)[number]
  readonly requirePasswordConfirmation: boolean
  readonly requireNames: boolean
  readonly requireOrgName: boolean
  readonly allowJsonp: boolean
  readonly createdAt: DateTime.Utc
}

/** The app on whose host somebody logs in (decision 31a); null wherever no app has a part in it. */
export const CurrentApp = Context.Reference<LoginPolicyId | null>("sallyport/domain/CurrentApp", {
  defaultValue: () => null
})

export const appSorts = ["id", "name"] as const

export class ConnectedAppNotFound extends Data.TaggedError("ConnectedAppNotFound")<{ readonly id: string }> {}
