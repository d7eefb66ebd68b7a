/** The descriptions of an OAuth client's settings, for requests and responses. */
export const oauthTexts = {
  post_logout_redirect_uris:
    "The URLs that browsers may be redirected to after a logout requested by the client. At most 100, in the same formats as `redirect_uris`.",
  backchannel_logout_uri: "The URL to notify when a session that used the client ends.",
  client_uri: "The home page of the client. Expired login pages link to it.",
  initiate_login_uri:
    "The client's URL that starts a login (OpenID Connect Core §4). Expired login pages link to it, with `iss`, instead of `client_uri`.",
  grant_types:
    "The methods by which the client can get tokens: `authorization_code`, `refresh_token`, `client_credentials` or `urn:ietf:params:oauth:grant-type:device_code`.",
  token_endpoint_auth_method:
    "The method by which the client authenticates: with its secret (`client_secret_basic` and `client_secret_post`, which are interchangeable), with a signed assertion (`private_key_jwt`) or, if it has no secret, not at all (`none`).",
  jwks: "The public keys that verify the client's assertions, as a JSON Web Key Set. Keys can be RSA of 2,048 bits or more, EC with the curve P-256, or Ed25519.",
  jwks_uri:
    "The URL of the client's JSON Web Key Set, instead of `jwks`. It must be https, at a public address. The keys are fetched when an assertion is verified, cached according to `Cache-Control`, and fetched again if an assertion names an unknown key. Setting `jwks` or `jwks_uri` clears the other.",
  allowed_scopes: "The scopes that the client may request.",
  resources: "The resource servers that the client can get access tokens for, as absolute URIs. At most 20.",
  consent:
    "Whether users must consent before the client gets access: `ask`, or `skip` for your own clients. Use `ask` for third-party clients.",
  id_token_claims:
    "The claims about the user in ID tokens: the claims of the granted scopes `profile` and `email` (`scopes`), or no claims (`minimal`). Claims requested in the `claims` parameter are added in both cases.",
  require_pkce: "Whether authorization requests must use PKCE. Clients without a secret must always use it.",
  require_par: "Whether authorization requests must be pushed first.",
  require_dpop: "Whether tokens are bound to a key of the client with DPoP.",
  access_token_minutes: "The lifetime of access tokens, in minutes: 1 to 1,440.",
  refresh_token_days: "The maximum lifetime of refresh tokens, in days: 1 to 365.",
  registration:
    "How the client registered itself: with an API key (`token`), without an API key (`open`) or by a metadata document (`document`). Null if it was created through the management API.",
  client_id: "The client's identifier in OAuth requests and tokens: its ID, or the URL of its metadata document.",
  login_app_id:
    "The ID of the standard app on whose pages people log in; null for the realm's oldest active standard app."
} as const
