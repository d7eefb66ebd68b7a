import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose"

const ALGORITHM = "RS256"
const KEY_ID = "fake-provider"

/** The keys of all fake providers in this process. The second key is never published. */
const keyPairs = () => Promise.all([generateKeyPair(ALGORITHM), generateKeyPair(ALGORITHM)])

let made: ReturnType<typeof keyPairs> | undefined

/** The key set that a fake provider publishes. */
export const publishedKeys = async (): Promise<{ readonly keys: ReadonlyArray<JWK> }> => {
  const [{ publicKey }] = await (made ??= keyPairs())
  return { keys: [{ ...(await exportJWK(publicKey)), alg: ALGORITHM, use: "sig", kid: KEY_ID }] }
}

/** Signs the claims of an ID token. `wrongly` signs with an unpublished key. */
export const signIdToken = async (claims: JWTPayload, wrongly: boolean): Promise<string> => {
  const [right, wrong] = await (made ??= keyPairs())
  const { privateKey } = wrongly ? wrong : right
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID }).sign(privateKey)
}
