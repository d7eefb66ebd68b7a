import { expect } from "vitest"
import { RELEASE } from "#http/docs/Release"

/**
 * The full `/readyz` response for operators when the database is reachable. `request` is the part about the operator's
 * own request.
 */
export const fullReadiness = (
  own: Readonly<Record<string, unknown>> = {},
  request: Readonly<Record<string, unknown>> = {}
) => ({
  status: "ready",
  version: RELEASE,
  database: "ok",
  clock: "ok",
  draining: false,
  encryption_keys: [expect.stringMatching(/^[0-9a-f]{8}$/)],
  deliveries: "on",
  request: {
    ip: "127.0.0.1",
    peer: "127.0.0.1",
    peer_is_trusted: false,
    host: expect.any(String),
    forwarded_for: null,
    forwarded_proto: null,
    ...request
  },
  actors: expect.any(Object),
  ...own
})
