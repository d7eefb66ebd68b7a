// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A resource link. */
export interface ResourceLink {
  /** The resource that the link is shown for: `org` or `user`. */
  readonly resource: "org" | "user"
  /** The text of the link. */
  readonly title: string
  /**
   * The URL, http or https. `{{id}}`, `{{reference}}` and `{{realm_id}}` are replaced by the values of the resource.
   */
  readonly url: string
}
