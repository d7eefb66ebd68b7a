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
    const drawn = pool.slice(used, used + n)
    // What was handed out may become a secret: the pool keeps no second copy of it.
    pool.fill(0, used, used + n)
    used += n
    return drawn
  }
}

/** The one source of randomness (house rule: everything nondeterministic is a service). */
export class Entropy extends Context.Service<
  Entropy,
  {
    /** `n` cryptographically random bytes, in an array of the caller's own. */
    readonly bytes: (n: number) => Uint8Array
  }
>()("sallyport/platform/Entropy") {
  static readonly layer = Layer.sync(Entropy, () => Entropy.of({ bytes: makeBytes() }))
}
