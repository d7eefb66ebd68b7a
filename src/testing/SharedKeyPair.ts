import { Effect, Layer } from "effect"
import { Entropy } from "#platform/Entropy"
import { type KeyMaterial, Signer } from "#platform/Signer"

let made: Promise<KeyMaterial> | undefined

/**
 * A signer whose RSA keys are all the same pair, made once in a process: making one takes some 100 ms, and a test needs no
 * secrets. Each key still has an ID of its own, so that a token verifies only with the key of its realm, and only until that
 * is retired.
 */
export const sharedKeyPair: Layer.Layer<Signer> = Layer.effect(
  Signer,
  Effect.map(Signer, (signer) => {
    const pair = () => (made ??= Effect.runPromise(signer.generate("rs256")))
    // It is ready, or nearly so, when the first realm asks for it.
    pair().catch(() => {})
    return Signer.of({
      ...signer,
      generate: (algo) => (algo === "rs256" ? Effect.promise(pair) : signer.generate(algo))
    })
  })
).pipe(Layer.provide(Signer.layer), Layer.provide(Entropy.layer))
