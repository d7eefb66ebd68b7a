/**
 * The response texts that each page of the console shows in full, by schema and member, besides the names of the realms
 * and the API key. User agents are complete on the event page but truncated on the timeline and in session lists.
 */
export const fieldsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  Realms: ["RealmItem.name", "RealmItem.reference"],
  Users: ["OrgItem.name", "UserItem.email", "UserItem.name"],
  "New user": ["Realm.available_locales", "Realm.default_locale"],
  User: [
    "ConnectedApp.name",
    "Consent.scopes",
    "Credential.name",
    "Custom name",
    "Custom",
    "EventItem.display_names",
    "Grant.scopes",
    "Membership.permissions",
    "OrgItem.name",
    "Request.ip",
    "User.email",
    "User.email_pending",
    "User.first_name",
    "User.last_name",
    "User.locale",
    "User.name",
    "User.reference",
    "User.username"
  ],
  Orgs: ["OrgItem.name", "OrgItem.reference"],
  Org: [
    "Custom",
    "Custom name",
    "EventItem.display_names",
    "Invitation.email",
    "Invitation.permissions",
    "Membership.permissions",
    "Org.name",
    "Org.reference",
    "Request.ip",
    "UserItem.email",
    "UserItem.name"
  ],
  Invitations: ["Invitation.email", "OrgItem.name"],
  "New invitation": ["ConnectedAppItem.name", "Realm.available_locales", "Realm.roles.name"],
  Apps: ["ConnectedAppItem.domains", "ConnectedAppItem.name"],
  App: [
    "ConnectedApp.invitation_permissions",
    "ConnectedApp.login_handler",
    "ConnectedApp.logout_uris",
    "ConnectedApp.name",
    "ConnectedApp.redirect_uris",
    "ConnectedApp.signup_handler",
    "ConnectedApp.subdomain"
  ],
  "App look": [
    "Appearance.background",
    "Appearance.color",
    "Appearance.dark_background",
    "Appearance.dark_color",
    "Appearance.name",
    "ConnectedApp.external_css",
    "ConnectedApp.footer",
    "ConnectedApp.header",
    "ConnectedApp.name"
  ],
  Clients: ["ConnectedAppItem.name"],
  Client: ["ConnectedApp.allowed_scopes", "ConnectedApp.client_id", "ConnectedApp.name"],
  "Client settings": [
    "ConnectedApp.allowed_scopes",
    "ConnectedApp.backchannel_logout_uri",
    "ConnectedApp.client_uri",
    "ConnectedApp.initiate_login_uri",
    "ConnectedApp.name",
    "ConnectedApp.post_logout_redirect_uris",
    "ConnectedApp.redirect_uris",
    "ConnectedApp.resources",
    "Realm.oauth_scopes"
  ],
  "Client grants": ["ConnectedApp.name", "Grant.scopes"],
  Providers: ["AuthProvider.name"],
  "New provider": ["ConnectedAppItem.name", "ConnectedAppItem.subdomain"],
  Provider: [
    "AuthProvider.authorization_url",
    "AuthProvider.client_id",
    "AuthProvider.email_field",
    "AuthProvider.email_verified_field",
    "AuthProvider.first_name_field",
    "AuthProvider.id_field",
    "AuthProvider.last_name_field",
    "AuthProvider.name",
    "AuthProvider.name_field",
    "AuthProvider.profile_url",
    "AuthProvider.scopes",
    "AuthProvider.token_url",
    "ConnectedAppItem.name",
    "ConnectedAppItem.subdomain"
  ],
  "Apple provider": ["AuthProvider.client_id", "AuthProvider.key_id", "AuthProvider.name", "AuthProvider.team_id"],
  "Microsoft provider": ["AuthProvider.client_id", "AuthProvider.name", "AuthProvider.scopes", "AuthProvider.tenant"],
  "OpenID provider": ["AuthProvider.client_id", "AuthProvider.issuer", "AuthProvider.name", "AuthProvider.scopes"],
  Events: ["EventItem.display_names", "Request.client", "Request.ip"],
  Event: [
    "EventWithNotifications.display_names",
    "Notification.last_destination",
    "Notification.last_result",
    "Request.client",
    "Request.ip"
  ],
  Hooks: ["HookItem.destination"],
  Hook: [
    "Hook.destination",
    "NotificationWithRequest.last_destination",
    "NotificationWithRequest.last_result",
    "NotificationWithRequest.request.body",
    "NotificationWithRequest.request.headers",
    "NotificationWithRequest.request.headers name",
    "NotificationWithRequest.request.url"
  ],
  Mails: ["Hook.email_subject"],
  Mail: ["Hook.email_from", "Hook.email_from_name", "Hook.email_subject", "Hook.email_template", "Hook.email_to"],
  Settings: [
    "Custom",
    "Custom name",
    "Realm.api_key_prefix",
    "Realm.available_locales",
    "Realm.default_locale",
    "Realm.name",
    "Realm.oauth_scopes",
    "Realm.passkey_rp_id",
    "Realm.reference",
    "Realm.registration_resources",
    "Realm.registration_scopes",
    "Realm.resource_links.title",
    "Realm.resource_links.url",
    "Realm.roles.name",
    "Realm.roles.permissions"
  ],
  "API keys": ["ApiKey.name"],
  Mailbox: ["Message.subject", "Message.to"],
  Message: [
    "Message.codes",
    "Message.from",
    "Message.from_name",
    "Message.links",
    "Message.source",
    "Message.subject",
    "Message.text",
    "Message.to"
  ]
}

/**
 * The texts on every page: those in the realm menu and the account menu, which are in the document before they are
 * opened.
 */
export const fieldsOnEveryPage: ReadonlyArray<string> = ["ConsoleSession.api_key.name", "RealmItem.name"]

/** The minimum number of text fields on each page, not counting numbers, dates and fields in dialogs. */
export const minTextFields: Readonly<Record<string, number>> = {
  Users: 1,
  "New user": 7,
  Orgs: 1,
  "New org": 4,
  Invitations: 1,
  "New invitation": 4,
  "New app": 4,
  App: 7,
  "App look": 8,
  "New client": 2,
  "Client settings": 7,
  "New provider": 4,
  Provider: 13,
  "Apple provider": 6,
  "Microsoft provider": 5,
  "OpenID provider": 5,
  Events: 4,
  "New hook": 2,
  Hook: 2,
  "New mail": 5,
  Mail: 5,
  Limits: 1,
  Settings: 100,
  Mailbox: 1,
  Clock: 1
}
