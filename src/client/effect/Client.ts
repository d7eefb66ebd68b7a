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
} from "../Errors.ts"
export type { ExportLine } from "../ExportRun.ts"
export type { Fetch, FetchInit, FetchResponse } from "../Fetch.ts"
export type { CallOptions, Redirect } from "../Form.ts"
export {
  CurrentSession,
  LoginRequired,
  LoginsUnchecked,
  PermissionMissing,
  RequireSession,
  requirePermission
} from "../frameworks/EffectSession.ts"
export { receiveWebhooks } from "../frameworks/EffectWebhooks.ts"
export type * from "../generated/Types.ts"
export type { Page } from "../List.ts"
export type { Key } from "../Options.ts"
export type { RowSource } from "../Streams.ts"
export type { WebhookType, WebhookWithSecret } from "../WebhookWithSecret.ts"
export type { EffectExport, EffectImport, EffectList, Effects } from "./Effects.ts"
export { type EffectOptions, Sallyport, SallyportClient } from "./Sallyport.ts"
