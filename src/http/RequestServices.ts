import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/**
 * Restricts the context of an effect. Handlers get their services when they are built, but the framework copies the whole
 * context of the server and of the handler group for each request. Copying 70 services three times took up a tenth of the time
 * of a read.
 */
const keepOnly =
  (isKept: (key: string) => boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateContext(effect, ({ mapUnsafe }: Context.Context<R>) =>
      Context.makeUnsafe<R>(new Map([...mapUnsafe].filter(([key]) => isKept(key))))
    )

/**
 * Runs the server without this process's services in its context. Requests need only the framework's services, such as
 * loggers.
 */
export const withoutServices = keepOnly((key) => !key.startsWith("sallyport/"))

/** Keeps the services that a group needs in addition to the request's: the middleware declared by the API. */
const withMiddleware = keepOnly((key) => key.startsWith("sallyport/api/"))

/** Like `HttpApiBuilder.group`, but without copying the handlers' services into each request's context. */
export const handlerGroup: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.withFiber((fiber) => {
      const services = fiber.context
      const group = HttpApiBuilder.group(api, identifier, (handlers) => {
        // The group has already captured its restricted context, but `build` needs the full one.
        fiber.setContext(services)
        return build(handlers)
      })
      return withMiddleware(Layer.buildWithMemoMap(group, memoMap, scope))
    })
  )
