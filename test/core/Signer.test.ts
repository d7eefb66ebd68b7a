import { createPublicKey } from "node:crypto"
import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { jwtVerify } from "jose"
import { JwtKeyId, RealmId } from "#domain/Ids"
import { Entropy } from "#platform/Entropy"
import { Signer } from "#platform/Signer"

const layer = Signer.layer.pipe(Layer.provide(Entropy.layer))

it.effect("generates a new 2048-bit RSA key for rs256, whose public half verifies its signatures", () =>
  Effect.gen(function* () {
    const signer = yield* Signer
    const made = [yield* signer.generate("rs256"), yield* signer.generate("rs256")]
    expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(2)
    for (const material of made) {
      expect(material.algo).toBe("rs256")
      const publicKey = createPublicKey(material.publicKey ?? "")
      expect(publicKey.asymmetricKeyType).toBe("rsa")
      expect(publicKey.asymmetricKeyDetails).toEqual({ modulusLength: 2_048, publicExponent: 65_537n })
      const key = yield* signer.load({
        ...material,
        id: JwtKeyId.make("jky_1"),
        realmId: RealmId.make("rlm_1"),
        createdAt: DateTime.makeUnsafe(0),
        expiredAt: null
      })
      const token = yield* key.sign({ sub: "usr_1" })
      expect((yield* Effect.promise(() => jwtVerify(token, publicKey))).payload).toEqual({ sub: "usr_1" })
    }
  }).pipe(Effect.provide(layer))
)
