import { Layer } from "effect"
import { ActorStates } from "#platform/ActorStates"
import { ClientAddress } from "#platform/ClientAddress"
import type { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { LoginDomains } from "#platform/LoginDomains"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { Secrets } from "#platform/Secrets"
import { Signer } from "#platform/Signer"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import type { Options } from "../Options.ts"

/** The process's services that both the surfaces and core use. */
export const platform = (options: Options) =>
  Layer.mergeAll(ActorStates.layer, ClientAddress.layer(options), IdGenerator.layer, LoginDomains.layer(options))

/** The process's services that only core uses. `signer`: replaces the default signer. */
export const platformInternals = (options: Options, signer: Layer.Layer<Signer, never, Entropy> = Signer.layer) =>
  Layer.mergeAll(
    OutboundPolicy.layer(options),
    Secrets.layer(options.secrets),
    signer,
    WakeUps.layer.pipe(Layer.provideMerge(Transaction.layer))
  )
