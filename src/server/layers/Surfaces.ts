import { Layer } from "effect"
import { notFoundPage } from "#hosted/NotFoundPage"
import { oauthPages } from "#hosted/OAuthPages"
import { pagePreviews } from "#hosted/preview/PagePreviews"
import { HostedRoutes } from "#hosted/Routes"
import { HeaderNames } from "#http/Authentication"
import type { ConsoleOptions } from "#http/console/ConsoleOptions"
import { ConsoleRoutes } from "#http/console/ConsoleRoutes"
import { PagePreviews } from "#http/console/PagePreviews"
import { DocsRoutes } from "#http/docs/Docs"
import { GuideRoutes } from "#http/docs/GuideRoutes"
import { HomeRoute } from "#http/home/HomeRoute"
import { LocalRequests } from "#http/LocalRequest"
import { NotFoundPage } from "#http/NotFoundPage"
import { OperatorRoutes, Routes } from "#http/Routes"
import { SecurityHeaders } from "#http/SecurityHeaders"
import { HtmlResponse } from "#oauth/HtmlResponse"
import { OAuthRoutes } from "#oauth/Routes"
import { LocalMailbox } from "#platform/LocalMailbox"
import type { Options } from "../Options.ts"

/** All routes for callers and browsers. */
export const routes = (options: Options & ConsoleOptions) =>
  Layer.mergeAll(
    DocsRoutes(options),
    GuideRoutes(options),
    HomeRoute(options),
    HostedRoutes(options),
    OAuthRoutes,
    ConsoleRoutes(options)
  ).pipe(
    // The middleware for all requests also wraps the console's.
    Layer.provideMerge(Routes),
    Layer.provide([
      HeaderNames.layer(options.headerPrefix),
      LocalRequests.layer(options),
      SecurityHeaders.layer(options),
      Layer.succeed(LocalMailbox, options.mailbox ? `${options.publicUrl.replace(/\/$/, "")}/mailbox` : undefined),
      Layer.succeed(HtmlResponse, oauthPages),
      Layer.effect(PagePreviews, pagePreviews),
      Layer.effect(NotFoundPage, notFoundPage(options))
    ])
  )

/** All routes of the operators' port. */
export const operatorRoutes = (options: Pick<Options, "publicUrl" | "headerPrefix">) =>
  OperatorRoutes.pipe(Layer.provide([HeaderNames.layer(options.headerPrefix), SecurityHeaders.layer(options)]))
