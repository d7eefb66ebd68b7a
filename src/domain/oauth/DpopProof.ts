import type { Claims } from "../Claims.ts"
import { isProofAlgorithm } from "./ProofAlgorithm.ts"
import { isSmallKey } from "./ProofKey.ts"

/** How old a proof may be, and how far ahead its clock, in seconds. */
export const PROOF_AGE_SECONDS = 60
export const PROOF_SKEW_SECONDS = 10

/** The members of a DPoP proof, whose signature is checked apart from these. */
export interface DpopProof {
  readonly header: Claims
  readonly claims: Claims
}

/** The request that a proof has to be made for. */
export interface ProvedRequest {
  readonly method: string
  /** The address of the endpoint, as its clients know it. */
  readonly url: string
  readonly nowSeconds: number
  /** The SHA-256 in base64url of the access token that is presented with the proof. Undefined: none is. */
  readonly accessTokenHash: string | undefined
}

/** Why a proof proves nothing. */
export type ProofProblem = "typ" | "alg" | "jwk" | "crit" | "jti" | "htm" | "htu" | "iat" | "ath"

type Check = readonly [problem: ProofProblem, passes: (proof: DpopProof, request: ProvedRequest) => boolean]

const text = (value: unknown): value is string => typeof value === "string" && value !== ""

/** An address without query and fragment, in the form that the URL standard gives it. */
const withoutQuery = (address: unknown): string | undefined => {
  if (!text(address) || !URL.canParse(address)) return undefined
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

/** The checks of RFC 9449 §4.3, in its order. The signature, and that it is used once, are checked after these. */
const checks: ReadonlyArray<Check> = [
  ["typ", ({ header }) => header.typ === "dpop+jwt"],
  ["alg", ({ header }) => isProofAlgorithm(header.alg)],
  ["jwk", ({ header }) => isPublicKey(header.jwk)],
  ["crit", ({ header }) => header.crit === undefined],
  ["jti", ({ claims }) => text(claims.jti) && claims.jti.length <= 256],
  ["htm", ({ claims }, { method }) => claims.htm === method],
  ["htu", ({ claims }, { url }) => text(claims.htu) && withoutQuery(claims.htu) === withoutQuery(url)],
  ["iat", ({ claims }, { nowSeconds }) => isRecent(claims.iat, nowSeconds)],
  ["ath", ({ claims }, { accessTokenHash }) => accessTokenHash === undefined || claims.ath === accessTokenHash]
]

/** The first thing that is wrong with a proof. Undefined: nothing is. */
export const proofProblem = (proof: DpopProof, request: ProvedRequest): ProofProblem | undefined =>
  checks.find(([, passes]) => !passes(proof, request))?.[0]
