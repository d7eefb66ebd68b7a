// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A ping. */
export interface Ping {
  /** The type of the object: always `ping`. */
  readonly object: "ping"
  /** Whether the destination accepted the message: `completed` or `failed`. */
  readonly state: "completed" | "failed"
  /** The URL to which the message was posted. */
  readonly destination: string | null
  /** The response's status and the first 1 KB of its body, or the reason why there was no response. */
  readonly result: string | null
}
