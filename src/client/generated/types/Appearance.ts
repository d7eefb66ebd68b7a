// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An appearance. */
export interface Appearance {
  /** The name shown on the pages and in default emails instead of the realm's name. Null if none. */
  readonly name: string | null
  /**
   * The URL of the logo. It is on the host of the app's pages or, for an OAuth client, on the host where its users log
   * in. A new logo has a new URL. Null if none, or if an OAuth client's realm has no login pages.
   */
  readonly logo_url: string | null
  /** The URL of the logo for a dark background. Null if none, or if an OAuth client's realm has no login pages. */
  readonly dark_logo_url: string | null
  /**
   * The brand color of buttons and links, as `#rrggbb`. The pages adjust links and text on the color so that they stay
   * readable. Null if none.
   */
  readonly color: string | null
  /** The brand color in the dark theme, used without adjustment. Default: derived from `color`. Null if none. */
  readonly dark_color: string | null
}
