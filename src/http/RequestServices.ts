import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/**
 * Handlers hold their services from when they are built, and look up none later. But the framework copies all that is in the
 * context of a server, and of a group of handlers, for each request: seventy services three times were a tenth of a read.
 */
const keepOnly =
  (isKept: (key: string) => boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateContext(effect, ({ mapUnsafe }: Context.Context<R>) =>
      Context.makeUnsafe<R>(new Map([...mapUnsafe].filter(([key]) => isKept(key))))
    )

/** Runs what serves requests without the services of this process: requests need the framework's, such as its loggers. */
export const withoutServices = keepOnly((key) => !key.startsWith("sallyport/"))

/** All that a group needs beside what the request brings: the middleware, which the API declares. */
const withMiddleware = keepOnly((key) => key.startsWith("sallyport/api/"))

/** `HttpApiBuilder.group`, whose handlers get no services with each request. */
export const handlerGroup: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.withFiber((fiber) => {
      const services = fiber.context
      const group = HttpApiBuilder.group(api, identifier, (handlers) => {
        // The group has taken its context by now. `build` finds the services.
        fiber.setContext(services)
        return build(handlers)
      })
      return withMiddleware(Layer.buildWithMemoMap(group, memoMap, scope))
    })
  )
