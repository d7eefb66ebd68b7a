// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A console settings. */
export interface ConsoleSettings {
  /** The type of the object: always `console`. */
  readonly object: "console"
  /**
   * Whether API keys may log in to the console. False if an owner or the deployment (`SALLYPORT_CONSOLE_KEYS`) has
   * turned it off.
   */
  readonly api_keys: boolean
}
