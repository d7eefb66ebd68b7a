import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { ClientAddress } from "#platform/ClientAddress"

/** Describes how a request reached the service, for operators who debug their proxies (C121). */
export const describeRequest = (
  { headers, peerAddress }: HttpServerRequest.HttpServerRequest,
  addresses: ClientAddress["Service"]
) => {
  const peer = Option.getOrUndefined(peerAddress)
  const forwardedFor = headers["x-forwarded-for"]
  return {
    ip: addresses.of({ peer, forwardedFor }).ip,
    peer: addresses.of({ peer, forwardedFor: undefined }).ip,
    peer_is_trusted: peer !== undefined && addresses.untrustedPeer(peer) === undefined,
    host: headers["host"] ?? null,
    forwarded_for: forwardedFor ?? null,
    forwarded_proto: headers["x-forwarded-proto"] ?? null
  }
}
