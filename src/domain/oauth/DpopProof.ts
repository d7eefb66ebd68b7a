import type { Claims } from "../Claims.ts"
import { isProofAlgorithm } from "./ProofAlgorithm.ts"
import { isSmallKey } from "./ProofKey.ts"

/** The maximum age of a proof, and how far ahead its clock may be, in seconds. */
export const PROOF_AGE_SECONDS = 60
export const PROOF_SKEW_SECONDS = 10

/** The contents of a DPoP proof. Its signature is checked separately. */
export interface DpopProof {
  readonly header: Claims
  readonly claims: Claims
}

/** The request that a proof must match. */
export interface ProvedRequest {
  readonly method: string
  /** The URL of the endpoint, as known to clients. */
  readonly url: string
  readonly nowSeconds: number
  /** The SHA-256 of the access token presented with the proof, in base64url, or undefined if there is none. */
  readonly accessTokenHash: string | undefined
}

/** The member that makes a proof invalid. */
export type ProofProblem = "typ" | "alg" | "jwk" | "crit" | "jti" | "htm" | "htu" | "iat" | "ath"

type Check = readonly [problem: ProofProblem, passes: (proof: DpopProof, request: ProvedRequest) => boolean]

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The normalized URL without its query and fragment. */
const withoutQuery = (address: unknown): string | undefined => {
  if (!isText(address) || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const

const isPublicKey = (jwk: unknown): boolean =>
  typeof jwk === "object" &&
  jwk !== null &&
  !privateMembers.some((member) => Object.hasOwn(jwk, member)) &&
  isSmallKey(jwk)

const isRecent = (iat: unknown, now: number): boolean =>
  typeof iat === "number" && iat > now - PROOF_AGE_SECONDS && iat <= now + PROOF_SKEW_SECONDS

/** The checks of RFC 9449 §4.3, in the order given there. The signature and single use are checked afterwards. */
const checks: ReadonlyArray<Check> = [
  ["typ", ({ header }) => header.typ === "dpop+jwt"],
  ["alg", ({ header }) => isProofAlgorithm(header.alg)],
  ["jwk", ({ header }) => isPublicKey(header.jwk)],
  ["crit", ({ header }) => header.crit === undefined],
  ["jti", ({ claims }) => isText(claims.jti) && claims.jti.length <= 256],
  ["htm", ({ claims }, { method }) => claims.htm === method],
  ["htu", ({ claims }, { url }) => isText(claims.htu) && withoutQuery(claims.htu) === withoutQuery(url)],
  ["iat", ({ claims }, { nowSeconds }) => isRecent(claims.iat, nowSeconds)],
  ["ath", ({ claims }, { accessTokenHash }) => accessTokenHash === undefined || claims.ath === accessTokenHash]
]

/** The first problem found in a proof, or undefined if it is valid. */
export const proofProblem = (proof: DpopProof, request: ProvedRequest): ProofProblem | undefined =>
  checks.find(([, passes]) => !passes(proof, request))?.[0]
