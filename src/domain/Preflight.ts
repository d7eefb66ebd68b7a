/**
 * The headers of the response to a preflight request from any page. All headers may be sent, such as `mcp-protocol-version` or
 * `traceparent`. `authorization` is not covered by `*`, and older browsers need the others by name.
 */
export const preflightHeaders = (methods: string): Readonly<Record<string, string>> => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods,
  "access-control-allow-headers": "*, authorization, content-type, dpop",
  "access-control-max-age": "600"
})
