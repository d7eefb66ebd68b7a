import { Effect, Layer } from "effect"
import { Entropy } from "#platform/Entropy"
import { Signer } from "#platform/Signer"
import { nextRsaPair } from "./rsaKeys.ts"

const nextMaterial = Effect.sync(() => {
  const { publicKey, privateKey } = nextRsaPair()
  return {
    algo: "rs256" as const,
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    secret: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
})

/** A signer with given RSA keys, since generating a key takes 50 ms. The tests of `core/Signer` cover the generation. */
export const knownRsaKeys: Layer.Layer<Signer> = Layer.effect(
  Signer,
  Effect.map(Signer, (signer) =>
    Signer.of({ ...signer, generate: (algo) => (algo === "rs256" ? nextMaterial : signer.generate(algo)) })
  )
).pipe(Layer.provide(Signer.layer), Layer.provide(Entropy.layer))
