import { Effect } from "effect"
import { type ConnectedApp, CurrentApp } from "#domain/ConnectedApp"

/** Runs an operation on behalf of an app, so that sessions started by it record the app (C31a). */
export const withApp =
  <A extends ReadonlyArray<unknown>, B, E, R>(
    operation: (app: ConnectedApp, ...rest: A) => Effect.Effect<B, E, R>
  ): ((app: ConnectedApp, ...rest: A) => Effect.Effect<B, E, R>) =>
  (app, ...rest) =>
    Effect.provideService(operation(app, ...rest), CurrentApp, app.id)
