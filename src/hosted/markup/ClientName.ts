import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { Html } from "#platform/Html"
import { userText } from "./UserText.ts"

/** The name that people know an OAuth client by. */
export const clientName = ({ appearance, name }: Pick<OAuthClient, "appearance" | "name">): Html =>
  userText(appearance.name ?? name)
