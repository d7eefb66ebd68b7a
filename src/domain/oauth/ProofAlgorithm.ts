/**
 * The algorithms that clients may use to sign proofs with their own keys: client assertions (RFC 7523) and DPoP proofs (RFC
 * 9449). All are asymmetric.
 */
export const proofAlgorithms = ["ES256", "RS256", "PS256", "EdDSA"] as const

export type ProofAlgorithm = (typeof proofAlgorithms)[number]

export const isProofAlgorithm = (value: unknown): value is ProofAlgorithm =>
  proofAlgorithms.some((algorithm) => algorithm === value)
