import { Context, Effect, Layer } from "effect"
import type { LogoutHint } from "#domain/oauth/LogoutRequest"
import { CurrentRealm } from "#domain/Realm"
import { Issuer } from "../keys/Issuer.ts"
import { SignedJwts } from "../keys/SignedJwts.ts"

const texts = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string")

/** Reads the ID tokens by which clients refer to a session (OpenID Connect RP-Initiated Logout). */
export class IdTokenHints extends Context.Service<
  IdTokenHints,
  {
    /**
     * Returns the claims of an ID token issued by the realm, even if it has expired or its key was retired long ago (C275).
     * Returns undefined for any other token, including login tokens, access tokens and logout tokens, which the same keys sign
     * (SEC-177).
     */
    read(token: string): Effect.Effect<LogoutHint | undefined, never, CurrentRealm>
  }
>()("sallyport/core/IdTokenHints") {
  static readonly layer = Layer.effect(
    IdTokenHints,
    Effect.gen(function* () {
      const signed = yield* SignedJwts
      const issuer = yield* Issuer

      const read = Effect.fn("IdTokenHints.read")(function* (token: string) {
        const realm = yield* CurrentRealm
        const found = yield* Effect.catchTag(signed.verifyFormer(token), "InvalidToken", () =>
          Effect.succeed(undefined)
        )
        if (found === undefined || found.type !== "JWT" || found.algorithm !== "rs256") return undefined
        const { iss, sub, aud, sid, rid, events } = found.claims
        const isOtherToken = iss !== issuer.of(realm.id) || rid !== undefined || events !== undefined
        if (isOtherToken || typeof sub !== "string") return undefined
        return { clientIds: texts(aud), userId: sub, sid: typeof sid === "string" ? sid : null }
      })

      return IdTokenHints.of({ read })
    })
  )
}
