import { Config, Context, Effect, Layer, Redacted } from "effect"
import { V1 } from "../generated/v1/V1.ts"
import { V2 } from "../generated/v2/V2.ts"
import { type Key, type SallyportOptions, settingsOf } from "../Options.ts"
import { EffectCall, type Effects } from "./Effects.ts"

/** The options of a client. A key may be redacted. */
export interface EffectOptions extends Omit<SallyportOptions, "key"> {
  readonly key?: Key | Redacted.Redacted | undefined
}

/** The API as effects: the current version by its resources, and version 1 under `v1`. */
export class SallyportClient extends V2<Effects> {
  /** Version 1 of the API. */
  readonly v1: V1<Effects>

  /** Throws a TypeError where the address or the key can't be right. */
  constructor({ key, ...options }: EffectOptions) {
    const call = new EffectCall(settingsOf({ ...options, key: Redacted.isRedacted(key) ? Redacted.value(key) : key }))
    super(call)
    this.v1 = new V1(call)
  }
}

/**
 * A client of the service for programs in Effect, with the names and types of the promise form.
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
 * Effects fail with the errors of the promise form, whose `_tag` is their name. An ID that is none, and options that can't be
 * right, are defects.
 */
export class Sallyport extends Context.Service<Sallyport, SallyportClient>()("sallyport/client/effect/Sallyport") {
  /** The service with these options. */
  static readonly layer = (options: EffectOptions): Layer.Layer<Sallyport> =>
    Layer.sync(Sallyport, () => new SallyportClient(options))

  /** The service with an address, a key and a realm that are read from the configuration. */
  static readonly layerConfig = (
    options: Config.Wrap<Pick<EffectOptions, "url" | "key" | "realmId">>,
    others: Omit<EffectOptions, "url" | "key" | "realmId"> = {}
  ): Layer.Layer<Sallyport, Config.ConfigError> =>
    Layer.effect(
      Sallyport,
      Effect.map(Config.unwrap(options), (read) => new SallyportClient({ ...read, ...others }))
    )
}
