// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An appearance. */
export interface Appearance {
  /** What people see on the pages and in default mails in place of the realm's name. Null if none. */
  readonly name: string | null
  /**
   * The address of the logo, on the host of the app's pages; of an OAuth client, of those where its users log in. A new
   * logo has a new address. Null if none, and for an OAuth client of a realm without pages to log in on.
   */
  readonly logo_url: string | null
  /**
   * The same of the logo on a dark background. Null if none, and for an OAuth client of a realm without pages to log in
   * on.
   */
  readonly dark_logo_url: string | null
  /**
   * The brand color, of buttons and links, as `#rrggbb`. Text on it and links are made readable, whatever the color.
   * Null if none.
   */
  readonly color: string | null
  /** The brand color in the dark theme, used as it is. Without it, it is derived from `color`. Null if none. */
  readonly dark_color: string | null
}
