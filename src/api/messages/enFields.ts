/** The English labels of members. Members without a label are displayed by name. */
export const fields = {
  api_key: "API key",
  provider_user_id: "Provider user ID",
  client_id: "Client ID",
  team_id: "Team ID",
  key_id: "Key ID",
  id_field: "ID field",
  external_css: "External CSS",
  redirect_uri: "Redirect URI",
  redirect_uris: "Redirect URIs",
  invitation_permissions: "Invitation permissions",
  logout_uris: "Logout URIs",
  post_logout_redirect_uris: "Post-logout redirect URIs",
  backchannel_logout_uri: "Back-channel logout URI",
  client_uri: "Home page",
  initiate_login_uri: "Login URL",
  jwks: "JWKS",
  jwks_uri: "JWKS URI",
  login_app_id: "Login app ID"
}
