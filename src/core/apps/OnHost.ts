import { Effect } from "effect"
import { type ConnectedApp, CurrentApp } from "#domain/ConnectedApp"

/** An operation in which an app has a part: sessions that begin in it name the app (decision 31a). */
export const onHost =
  <A extends ReadonlyArray<unknown>, B, E, R>(
    operation: (app: ConnectedApp, ...rest: A) => Effect.Effect<B, E, R>
  ): ((app: ConnectedApp, ...rest: A) => Effect.Effect<B, E, R>) =>
  (app, ...rest) =>
    Effect.provideService(operation(app, ...rest), CurrentApp, app.id)
