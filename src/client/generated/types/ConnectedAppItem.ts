// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A connected app in a list or within another resource. */
export interface ConnectedAppItem {
  /** The app's ID, which begins with `lpl_`. */
  readonly id: string
  /** The type of the object: always `client_app`; under `/v1`, `login_policy`. */
  readonly object: "login_policy" | "client_app"
  /** The app's name. */
  readonly name: string
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /**
   * The type of the app: an app with its own login pages (`standard`), or an OAuth client: a web server with a secret
   * (`web`), an app in a browser (`spa`) or on a device (`native`), a program that acts on its own behalf (`machine`),
   * or a device without a browser (`device`). Can't be changed.
   */
  readonly client_type: "standard" | "web" | "spa" | "native" | "machine" | "device"
  /**
   * The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in
   * lower case. Null for OAuth clients, which have no pages.
   */
  readonly subdomain: string | null
  /**
   * The hosts of the app's pages. There is one, which consists of the app's subdomain and the deployment's region and
   * login domain; OAuth clients have none.
   */
  readonly domains: ReadonlyArray<string>
  /**
   * The address of the app's login page. Send people there to log in, with `state` in the query. Null for OAuth
   * clients.
   */
  readonly login_url: string | null
}
