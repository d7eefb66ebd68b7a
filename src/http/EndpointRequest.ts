import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Api } from "#api/Api"

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Members> ? Members : never

/**
 * The decoded request of an endpoint, as its handler takes it: `EndpointRequest<"v1.orgs", "update">`. A handler that both
 * versions share takes the request of the version that allows more.
 */
export type EndpointRequest<Group extends HttpApiGroup.Identifier<Groups>, Operation extends string> = Omit<
  HttpApiEndpoint.Request<
    HttpApiEndpoint.WithIdentifier<HttpApiGroup.EndpointsWithIdentifier<Groups, Group>, Operation>
  >,
  "endpoint"
>
