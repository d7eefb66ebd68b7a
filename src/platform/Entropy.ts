import { randomFillSync } from "node:crypto"
import { Context, Layer } from "effect"

const poolSize = 4096

const makeBytes = (): ((n: number) => Uint8Array) => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  return (n) => {
    if (n > poolSize / 4) return randomFillSync(new Uint8Array(n))
    if (used + n > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + n)
    // The bytes may become a secret, so they are erased from the pool.
    pool.fill(0, used, used + n)
    used += n
    return bytes
  }
}

/** The only source of randomness. It is a service so that tests can replace it. */
export class Entropy extends Context.Service<
  Entropy,
  {
    /** Returns `n` cryptographically random bytes in a new array. */
    readonly bytes: (n: number) => Uint8Array
  }
>()("sallyport/platform/Entropy") {
  static readonly layer = Layer.sync(Entropy, () => Entropy.of({ bytes: makeBytes() }))
}
