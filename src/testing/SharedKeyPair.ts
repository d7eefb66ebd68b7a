import { Effect, Layer } from "effect"
import { Entropy } from "#platform/Entropy"
import { type KeyMaterial, Signer } from "#platform/Signer"

let made: Promise<KeyMaterial> | undefined

/**
 * A signer that uses one RSA key pair for all keys. The pair is generated once per process, because that takes about 100 ms
 * and tests need no secret keys. Each key still has its own ID, so a token only verifies with its realm's key, until that key
 * is retired.
 */
export const sharedKeyPair: Layer.Layer<Signer> = Layer.effect(
  Signer,
  Effect.map(Signer, (signer) => {
    const pair = () => (made ??= Effect.runPromise(signer.generate("rs256")))
    // The key pair is usually ready when the first realm needs it.
    pair().catch(() => {})
    return Signer.of({
      ...signer,
      generate: (algo) => (algo === "rs256" ? Effect.promise(pair) : signer.generate(algo))
    })
  })
).pipe(Layer.provide(Signer.layer), Layer.provide(Entropy.layer))
