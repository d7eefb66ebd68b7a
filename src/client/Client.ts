export { type Decode, type DecoderOptions, decoder } from "./Decode.ts"
export type { Decoded, DecodedMembership, DecodedOrg, DecodedUser } from "./Decoded.ts"
export { KeysUnavailable } from "./DecodeKeys.ts"
export {
  BadRequest,
  Conflict,
  ConnectionFailed,
  type ErrorDetail,
  type Failure,
  Forbidden,
  Invalid,
  NotFound,
  RateLimited,
  SallyportError,
  TimedOut,
  Unauthorized,
  Unavailable,
  UnexpectedAnswer
} from "./Errors.ts"
export type { ExportLine, ExportRun } from "./ExportRun.ts"
export type { Fetch, FetchInit, FetchResponse } from "./Fetch.ts"
export type { CallOptions, Redirect } from "./Form.ts"
export type * from "./generated/Types.ts"
export type { ImportRun } from "./ImportRun.ts"
export type { List, Page } from "./List.ts"
export type { Key, SallyportOptions } from "./Options.ts"
export type { AccessToken } from "./resource/AccessToken.ts"
export { type AccessTokenReason, AccessTokenRefused } from "./resource/AccessTokenRefused.ts"
export type { TokenRequest } from "./resource/Proof.ts"
export {
  type ProtectedResource,
  type ProtectedResourceMetadata,
  type ProtectedResourceOptions,
  protectedResource,
  type ResourceAnswer,
  type ResourceRequest
} from "./resource/ProtectedResource.ts"
export { memoryReplays, type Replays } from "./resource/Replays.ts"
export { type AccessTokenOptions, verifyAccessToken } from "./resource/VerifyAccessToken.ts"
export { type Promises, Sallyport } from "./Sallyport.ts"
export type { RowSource } from "./Streams.ts"
export {
  InvalidWebhook,
  type InvalidWebhookReason,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookRequest
} from "./Webhook.ts"
export type { WebhookType, WebhookWithSecret } from "./WebhookWithSecret.ts"
