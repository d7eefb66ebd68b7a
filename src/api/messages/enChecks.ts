/** The results of a login method's test, in English. */
export const checks = {
  check_client_accepted: "The client ID and the client secret are accepted.",
  check_client_accepted_basic:
    "The client ID and the client secret are accepted only by HTTP Basic: set token_endpoint_auth_method to client_secret_basic.",
  check_client_accepted_post:
    "The client ID and the client secret are accepted only in the body: set token_endpoint_auth_method to client_secret_post.",
  check_client_refused: "The client ID or the client secret is not accepted: {answer}.",
  check_apple_refused: "The client ID, team ID, key ID or private key is not accepted: {answer}.",
  check_client_unclear: "The response does not show whether the client is accepted: {answer}.",
  check_code_accepted: "The server accepted a made-up code.",
  check_secret_unreadable: "The client secret can't be read. Set it again.",
  check_answered: "The server responded with {answer}.",
  check_key: "The server has one signing key.",
  check_keys: "The server has {count} signing keys.",
  check_no_keys: "The server responded with {answer} and no signing key.",
  check_too_long: "The response is too long.",
  check_forbidden: "The URL is not allowed.",
  check_unreachable: "The server could not be reached.",
  check_timed_out: "The server did not respond in time.",
  check_broken_off: "The server's response was cut off.",
  check_no_requests: "Providers of this type make no outbound requests.",
  check_discovered: "The issuer publishes its endpoints and keys.",
  check_not_tested: "Not tested, because the endpoints are unknown.",
  check_discovery_too_long: "The discovery document is too long.",
  check_no_issuer: "The discovery document has no issuer.",
  check_other_issuer: "The discovery document is for another issuer.",
  check_member_missing: "The discovery document has no {member}.",
  check_member_forbidden: "The URL of {member} in the discovery document is not allowed.",
  check_no_algorithm: "The issuer signs ID tokens with no supported algorithm."
}
