/** The descriptions of an OAuth client's settings, for requests and responses. */
export const oauthTexts = {
  post_logout_redirect_uris:
    "The URLs that browsers may be sent to after a log-out that the client asks for, at most 100: in the same forms as its `redirect_uris`.",
  backchannel_logout_uri: "The URL that is told when a session ends in which people used the client.",
  client_uri: "The home page of the client. A login page that is over links to it.",
  initiate_login_uri:
    "The URL of the client at which a login begins. A login page that is over links to it, with `iss`, in place of `client_uri` (OpenID Connect Core §4).",
  grant_types:
    "How the client gets tokens: `authorization_code`, `refresh_token`, `client_credentials` or `urn:ietf:params:oauth:grant-type:device_code`.",
  token_endpoint_auth_method:
    "How the client authenticates: with its secret (`client_secret_basic`, `client_secret_post`; either is accepted in place of the other), with a signed assertion (`private_key_jwt`) or, if it can't keep a secret, not at all (`none`).",
  jwks: "The public keys of the client's assertions, as a JSON Web Key Set: RSA of 2,048 bits or more, EC with the curve P-256, or Ed25519.",
  jwks_uri:
    "The URL at which the client publishes these keys instead, as a JSON Web Key Set: https, at a public address. It is fetched when an assertion is checked, used as long as `Cache-Control` says, and fetched again when an assertion names an unknown key. A client has `jwks` or `jwks_uri`: setting one clears the other.",
  allowed_scopes: "The scopes that the client may ask for.",
  resources: "The resource servers that its access tokens may be for, as absolute URIs, at most 20.",
  consent:
    "Whether people are asked before the client learns who they are: `ask`, or `skip`, which is for clients of your own. Send `ask` for anybody else's.",
  id_token_claims:
    "What ID tokens say about the user: the claims of the granted scopes `profile` and `email` (`scopes`), or none of them (`minimal`). Claims that a request names in its `claims` parameter are added in both cases.",
  require_pkce: "Whether authorization requests must use PKCE. Clients without a secret always must.",
  require_par: "Whether authorization requests must be pushed first.",
  require_dpop: "Whether tokens are bound to a key of the client, by DPoP.",
  access_token_minutes: "How long access tokens are good for, in minutes: 1 to 1,440.",
  refresh_token_days: "How long refresh tokens are good for at most, in days: 1 to 365.",
  registration:
    "How the client registered itself: with a key of management (`token`), without one (`open`) or by a metadata document (`document`). Null if management created it.",
  client_id: "What the client is called in OAuth requests and tokens: its ID, or the URL of its metadata document.",
  login_app_id: "The ID of the standard app on whose pages people log in. Null: the realm's oldest active one."
} as const
