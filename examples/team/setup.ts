import type { Sallyport } from "sallyport/client"

/** The app's resources in Sallyport. */
export interface Place {
  readonly realmId: string
  /** The ID of the connected app, whose host serves the login pages. */
  readonly appId: string
}

/**
 * Returns the realm and the connected app. Creates them on the first start, and later finds them by the realm's
 * reference. `here`: the app's URL.
 */
export const setUp = async (sallyport: Sallyport, here: string): Promise<Place> => {
  const reference = "example:team"
  const { items } = await sallyport.realms.list({ reference })
  const realm =
    items[0] ??
    (await sallyport.realms.create({
      name: "Teams",
      reference,
      username_validation_human: "email",
      email_verification: "request",
      // Tokens list the user's orgs and permissions.
      jwt_algo: "rs256",
      jwt_scopes: "ar.orgs"
    }))

  const settings = { name: "Teams", login_handler: `${here}/callback`, logout_uris: [`${here}/`] }
  const [known] = (await sallyport.clientApps.list({ realm_id: realm.id })).items
  const app =
    known === undefined
      ? await sallyport.clientApps.create({ ...settings, realm_id: realm.id })
      : await sallyport.clientApps.update(known.id, settings)
  return { realmId: realm.id, appId: app.id }
}
