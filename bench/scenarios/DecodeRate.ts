import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { decoder, decoderWith } from "#client/Decode"
import { webCrypto } from "#client/DecodeSignature"

// Decodes tokens one after the other, with no other work. Prints a `DecodeRate` for each method.
const [rounds = "5", perRound = "20000"] = process.argv.slice(2)

/** The claims of a user in one org, as in a token from hosted login. */
const claims = {
  iss: "https://id.example.com/realms/rl_01m7y8xyr3f5b7d9h1k3m5p7r9",
  sub: "usr_01m7y8xyr3f5b7d9h1k3m5p7r9",
  rid: "rl_01m7y8xyr3f5b7d9h1k3m5p7r9",
  sid: "kss_01m7y8xyr3f5b7d9h1k3m5p7r9",
  preferred_username: null,
  given_name: "Ada",
  family_name: "Lovelace",
  name: "Ada Lovelace",
  email: "ada@example.com",
  email_verified: true,
  ref: null,
  orgs: [
    {
      mid: "mb_01m7y8xyr3f5b7d9h1k3m5p7r9",
      oid: "org_01m7y8xyr3f5b7d9h1k3m5p7r9",
      perm: ["ar:owner", "billing:read"],
      selected: true,
      name: "Analytical Engines",
      ref: null
    }
  ]
}

/** The number of tokens. With so many, a token has left the CPU's caches before it is used again. */
const TOKENS = 500

const kid = "jky_01m7y8xyr3f5b7d9h1k3m5p7r9"
const jwtKey = `jsk_${"k7Rw2".repeat(8)}`
const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true })
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }] }

const tokensOf = (alg: string, key: Parameters<SignJWT["sign"]>[0]) =>
  Promise.all(
    Array.from({ length: TOKENS }, (_, at) =>
      new SignJWT({ ...claims, sid: `kss_${String(at).padStart(26, "0")}` })
        .setProtectedHeader({ alg, typ: "JWT", kid })
        .setIssuedAt()
        .setExpirationTime("6h")
        .sign(key)
    )
  )

const [shared, signed] = [
  await tokensOf("HS256", new TextEncoder().encode(jwtKey)),
  await tokensOf("RS256", privateKey)
]

const ways = [
  { name: "HS256", target: 50, tokens: shared, decode: decoder({ jwtKey }) },
  { name: "RS256", target: 80, tokens: signed, decode: decoder({ jwks }) },
  { name: "HS256, with WebCrypto only", tokens: shared, decode: decoderWith(webCrypto)({ jwtKey }) },
  { name: "RS256, with WebCrypto only", tokens: signed, decode: decoderWith(webCrypto)({ jwks }) }
]

let wrong = 0

/** Returns the CPU time of one decode, in microseconds, over all threads. */
const round = async ({ tokens, decode }: (typeof ways)[number]): Promise<number> => {
  const before = process.cpuUsage()
  for (let n = 0; n < Number(perRound); n++) if ((await decode(tokens[n % TOKENS] ?? "")) === null) wrong++
  const { user, system } = process.cpuUsage(before)
  return (user + system) / Number(perRound)
}

const rates = []
for (const way of ways) {
  await round(way)
  const micros: Array<number> = []
  for (let n = 0; n < Number(rounds); n++) micros.push(await round(way))
  rates.push({ name: way.name, target: way.target, bytes: way.tokens[0]?.length ?? 0, micros })
}
console.log(JSON.stringify({ rates, wrong }))
