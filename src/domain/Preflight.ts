/**
 * The response headers for a preflight request from any page. All request headers are allowed, such as
 * `mcp-protocol-version` or `traceparent`. `authorization` is listed because `*` does not include it, and the others
 * because older browsers do not support `*`.
 */
export const preflightHeaders = (methods: string): Readonly<Record<string, string>> => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods,
  "access-control-allow-headers": "*, authorization, content-type, dpop",
  "access-control-max-age": "600"
})
