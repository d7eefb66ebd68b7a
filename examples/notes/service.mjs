/**
 * Returns the app's resources in Sallyport: a realm, and a connected app whose host serves the login pages. Creates
 * them on the first start, and later finds them by the realm's reference.
 *
 * @param {{ service: string, key: string, here: string }} options `here`: this app's URL.
 */
export const prepare = async ({ service, key, here }) => {
  /** @type {(method: string, path: string, body?: object) => Promise<any>} */
  const call = async (method, path, body) => {
    const response = await fetch(service + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (response.ok) return response.json()
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }

  const reference = "example:notes"
  const [known] = (await call("GET", `/v2/realms?reference=${reference}`)).collection
  const realm =
    known ??
    (await call("POST", "/v2/realms", {
      realm: {
        name: "Notes",
        reference,
        jwt_algo: "rs256",
        username_validation_human: "email",
        email_verification: "request"
      }
    }))

  const client_app = { name: "Notes", login_handler: `${here}/callback`, logout_uris: [`${here}/`] }
  const [before] = (await call("GET", `/v2/client_apps?realm_id=${realm.id}`)).collection
  const app =
    before === undefined
      ? await call("POST", "/v2/client_apps", { client_app, realm_id: realm.id })
      : await call("PUT", `/v2/client_apps/${before.id}?realm_id=${realm.id}`, { client_app })

  // The host of the app, with the scheme and port of the service.
  const loginPages = new URL(service)
  loginPages.hostname = app.domains[0]
  return { realmId: realm.id, appId: app.id, loginPages: loginPages.origin }
}
