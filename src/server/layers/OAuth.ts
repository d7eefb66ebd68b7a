import { Layer } from "effect"
import { AccessTokens } from "#core/oauth/AccessTokens"
import { ActiveClients } from "#core/oauth/ActiveClients"
import { AuthorizationRequests } from "#core/oauth/AuthorizationRequests"
import { ClientAuthentication } from "#core/oauth/ClientAuthentication"
import { ClientKeySets } from "#core/oauth/ClientKeySets"
import { CodeRedemptions } from "#core/oauth/CodeRedemptions"
import { DeviceAuthorizations } from "#core/oauth/DeviceAuthorizations"
import { DeviceGrants } from "#core/oauth/DeviceGrants"
import { DpopProofs } from "#core/oauth/DpopProofs"
import { GrantEnds } from "#core/oauth/GrantEnds"
import { IdTokenHints } from "#core/oauth/IdTokenHints"
import { Introspection } from "#core/oauth/Introspection"
import { LoginApps } from "#core/oauth/LoginApps"
import { LogoutRequests } from "#core/oauth/LogoutRequests"
import { NewGrants } from "#core/oauth/NewGrants"
import { OAuthTokenIssuer } from "#core/oauth/OAuthTokenIssuer"
import { PublishedJson } from "#core/oauth/PublishedJson"
import { RefreshRotation } from "#core/oauth/RefreshRotation"
import { Revocation } from "#core/oauth/Revocation"

/** The OpenID Provider operations of realms. */
export const oauthOperations = Layer.mergeAll(
  AuthorizationRequests.layer,
  CodeRedemptions.layer,
  DeviceAuthorizations.layer,
  DeviceGrants.layer,
  Introspection.layer,
  LogoutRequests.layer,
  RefreshRotation.layer,
  Revocation.layer
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      AccessTokens.layer,
      ClientAuthentication.layer.pipe(Layer.provide(ClientKeySets.layer), Layer.provide(PublishedJson.layer)),
      DpopProofs.layer,
      GrantEnds.layer,
      NewGrants.layer.pipe(Layer.provideMerge(OAuthTokenIssuer.layer))
    )
  ),
  Layer.provideMerge(Layer.mergeAll(IdTokenHints.layer, LoginApps.layer, ActiveClients.layer))
)
