import { Context, Data, type DateTime } from "effect"
import type { Appearance, Logo } from "./Appearance.ts"
import type { AppId, RealmId } from "./Ids.ts"

export const appStates = ["active", "inactive"] as const

/** The resources that a signup on the hosted pages creates (C41). */
export const signupModes = ["none", "user", "user_org", "user_token"] as const

/** The maximum number of redirect URIs per app, and also of logout URIs. */
export const MAX_REDIRECT_URIS = 100

/** The maximum length of a header or footer, in characters: 64 KiB (C10a). */
export const MAX_MARKUP_LENGTH = 65_536

/** An app with hosted login: the host, appearance and redirect targets of its pages (`v1.app`). */
export interface ConnectedApp {
  readonly id: AppId
  readonly realmId: RealmId
  readonly state: (typeof appStates)[number]
  readonly name: string
  readonly clientType: "standard"
  /** Unique across all realms. */
  readonly subdomain: string
  /** Sanitized HTML shown above and below the pages. */
  readonly header: string | null
  readonly footer: string | null
  readonly externalCss: string | null
  /** Null only for apps created under `/v2`. */
  readonly loginHandler: string | null
  readonly signupHandler: string | null
  readonly redirectUris: ReadonlyArray<string>
  /** The URIs that a logout may redirect to, in addition to the handlers and redirect URIs (C65). */
  readonly logoutUris: ReadonlyArray<string>
  readonly signupMode: (typeof signupModes)[number]
  readonly requirePasswordConfirmation: boolean
  readonly requireNames: boolean
  readonly requireOrgName: boolean
  readonly allowJsonp: boolean
  /** Whether users who are already logged in are sent to the app without a prompt (C73). */
  readonly autoContinue: boolean
  /** Whether users may invite people on the hosted pages, if the realm allows it (C125). */
  readonly allowInvitations: boolean
  /** The org permissions granted by invitations from the hosted pages. */
  readonly invitationPermissions: ReadonlyArray<string>
  readonly appearance: Appearance
  readonly createdAt: DateTime.Utc
}

/** An app with unsaved settings, and the logos it would show. */
export interface AppDraft {
  readonly app: ConnectedApp
  readonly logos: ReadonlyArray<Logo>
}

/** The name shown on an app's pages and in its emails: the app's own, or else the realm's. */
export const brandNameOf = ({
  realm,
  app
}: {
  readonly realm: { readonly name: string }
  readonly app?: Pick<ConnectedApp, "appearance"> | undefined
}): string => app?.appearance.name ?? realm.name

/** The app whose host the current login uses (C31a), or null if no app is involved. */
export const CurrentApp = Context.Reference<AppId | null>("sallyport/domain/CurrentApp", {
  defaultValue: () => null
})

export const appSorts = ["id", "name"] as const

export class ConnectedAppNotFound extends Data.TaggedError("ConnectedAppNotFound")<{ readonly id: string }> {}
