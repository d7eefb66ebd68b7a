import { Config, Context, Effect, Layer, Redacted } from "effect"
import { V1 } from "../generated/v1/V1.ts"
import { V2 } from "../generated/v2/V2.ts"
import { type Key, type SallyportOptions, settingsOf } from "../Options.ts"
import { EffectCall, type Effects } from "./Effects.ts"

/** The options of a client. The key may be redacted. */
export interface EffectOptions extends Omit<SallyportOptions, "key"> {
  readonly key?: Key | Redacted.Redacted | undefined
}

/** The API as effects: the current version by resource, and version 1 under `v1`. */
export class SallyportClient extends V2<Effects> {
  /** Version 1 of the API. */
  readonly v1: V1<Effects>

  /** Throws a TypeError if the URL or the key is invalid. */
  constructor({ key, ...options }: EffectOptions) {
    const call = new EffectCall(settingsOf({ ...options, key: Redacted.isRedacted(key) ? Redacted.value(key) : key }))
    super(call)
    this.v1 = new V1(call)
  }
}

/**
 * A client of the service for Effect programs, with the names and types of the promise-based client.
 *
 * ```ts
 * const program = Effect.gen(function* () {
 *   const sallyport = yield* Sallyport
 *   const ada = { email: "ada@example.com", credentials: [] }
 *   return yield* sallyport.users.create(ada).pipe(Effect.catchTag("Invalid", …))
 * })
 * program.pipe(Effect.provide(Sallyport.layer({ url: "https://id.example.com", key })))
 * ```
 *
 * Effects fail with the errors of the promise-based client, whose `_tag` is their name. Invalid IDs and options are
 * defects.
 */
export class Sallyport extends Context.Service<Sallyport, SallyportClient>()("sallyport/client/effect/Sallyport") {
  /** Provides a client with these options. */
  static readonly layer = (options: EffectOptions): Layer.Layer<Sallyport> =>
    Layer.sync(Sallyport, () => new SallyportClient(options))

  /** Provides a client with a URL, a key and a realm from the configuration. */
  static readonly layerConfig = (
    options: Config.Wrap<Pick<EffectOptions, "url" | "key" | "realmId">>,
    others: Omit<EffectOptions, "url" | "key" | "realmId"> = {}
  ): Layer.Layer<Sallyport, Config.ConfigError> =>
    Layer.effect(
      Sallyport,
      Effect.map(Config.unwrap(options), (read) => new SallyportClient({ ...read, ...others }))
    )
}
