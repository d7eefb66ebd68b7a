/**
 * The algorithms by which clients sign what they prove by a key of their own: assertions that authenticate them (RFC 7523) and
 * proofs of DPoP (RFC 9449). All are asymmetric.
 */
export const proofAlgorithms = ["ES256", "RS256", "PS256", "EdDSA"] as const

export type ProofAlgorithm = (typeof proofAlgorithms)[number]

export const isProofAlgorithm = (value: unknown): value is ProofAlgorithm =>
  proofAlgorithms.some((algorithm) => algorithm === value)
