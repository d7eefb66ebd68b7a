import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Api } from "#api/Api"

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Members> ? Members : never

/**
 * The decoded request of an endpoint, as its handler receives it, for example `EndpointRequest<"v1.orgs", "update">`. A
 * handler for both versions uses the request type of the more permissive version.
 */
export type EndpointRequest<Group extends HttpApiGroup.Identifier<Groups>, Operation extends string> = Omit<
  HttpApiEndpoint.Request<
    HttpApiEndpoint.WithIdentifier<HttpApiGroup.EndpointsWithIdentifier<Groups, Group>, Operation>
  >,
  "endpoint"
>
