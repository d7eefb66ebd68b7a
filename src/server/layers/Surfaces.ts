import { Layer } from "effect"
import { notFoundPage } from "#hosted/NotFoundPage"
import { oauthPages } from "#hosted/OAuthPages"
import { HostedRoutes } from "#hosted/Routes"
import { HeaderNames } from "#http/Authentication"
import { GuideRoutes } from "#http/docs/GuideRoutes"
import { HomeRoute } from "#http/home/HomeRoute"
import { NotFoundPage } from "#http/NotFoundPage"
import { OperatorRoutes, Routes } from "#http/Routes"
import { SecurityHeaders } from "#http/SecurityHeaders"
import { ErrorPage } from "#oauth/ErrorPage"
import { OAuthRoutes } from "#oauth/Routes"
import type { Options } from "../Options.ts"

/** Every route that callers and browsers reach. `mailbox`: whether mails stay in the local mailbox. */
export const routes = (options: Options & { readonly mailbox: boolean }) =>
  Layer.mergeAll(Routes, GuideRoutes(options), HomeRoute(options), HostedRoutes(options), OAuthRoutes).pipe(
    Layer.provide([
      HeaderNames.layer(options.headerPrefix),
      SecurityHeaders.layer(options),
      Layer.succeed(ErrorPage, oauthPages),
      Layer.effect(NotFoundPage, notFoundPage(options))
    ])
  )

/** The routes of the port that only operators reach. */
export const operatorRoutes = (options: Pick<Options, "publicUrl">) =>
  OperatorRoutes.pipe(Layer.provide(SecurityHeaders.layer(options)))
