import { MAX_OPERATORS } from "#domain/Operator"
import { apiKey } from "../access/Docs.ts"
import { documentGroup, page } from "../GroupDocs.ts"
import { ConsoleV2, OperatorsV2 } from "./V2.ts"

const operator = {
  id: "usr_01m7y8xyj4bmw0ek0bz2h2g9tn",
  object: "operator",
  email: "ada@example.com",
  name: "ada",
  role: "support",
  realm_id: null,
  state: "invited",
  created_at: 1795238591.02,
  last_login_at: null
} as const

const url = "https://id.example.com/console/auth/invitation?token=top%3A…"

const about =
  "The people who log in to the console with their own accounts. Operators belong to the service, not to a realm; their users are in no realm's lists. These requests require an owner, or an API key of level `admin_all_realms`."

const endpoints = {
  list: { summary: "List operators", response: page(operator) },
  get: { summary: "Get an operator", response: operator },
  create: {
    summary: "Invite an operator",
    description: `The invited person chooses a password with the link in the email, and can then add a passkey or an authenticator app. There can be at most ${MAX_OPERATORS.toLocaleString("en")} operators. Event: \`operator.created\`.`,
    request: { operator: { email: "ada@example.com", role: "support" } },
    response: { ...operator, url }
  },
  update: {
    summary: "Change an operator's role",
    description:
      "Returns 422 with the code `last_owner` for the last owner who has accepted an invitation. Event: `operator.updated`.",
    request: { operator: { role: "admin" } },
    response: { ...operator, role: "admin" }
  },
  invite: {
    summary: "Resend an operator's invitation",
    description:
      "Makes a new link, and revokes the previous one. Returns 422 with the code `operator_active` if the operator has already logged in.",
    request: { send_email: true },
    response: { ...operator, url }
  },
  list_created_keys: {
    summary: "List the API keys that an operator created",
    description:
      "The keys that the operator created in the console and that have not expired. Keys that were created by another API key are not included.",
    response: page(apiKey)
  },
  delete: {
    summary: "Remove an operator",
    description:
      "Ends the operator's sessions immediately. Returns 422 with the code `last_owner` for the last owner who has accepted an invitation. API keys that the operator created continue to work, except with `delete_api_keys`. Events: `operator.deleted`, and with `delete_api_keys` also `api_key.deleted` for each key."
  }
} as const

/** The docs of the operators. */
export const operatorsV2 = documentGroup(OperatorsV2, about, endpoints, {
  operator_id: { description: "The operator's ID." },
  delete_api_keys: {
    description: "Whether to delete the API keys that the operator created in the console. Default: false.",
    schema: { default: false }
  }
})

/** The docs of the console's settings. */
export const consoleV2 = documentGroup(ConsoleV2, "The settings of the console at `/console`.", {
  get: { summary: "Get the console's settings", response: { object: "console", api_keys: true } },
  update: {
    summary: "Change the console's settings",
    description:
      "If API keys may no longer log in, their sessions in the console end. Only an owner who is logged in to the console can turn this off; an API key gets 422. Event: `console.updated`.",
    request: { console: { api_keys: true } },
    response: { object: "console", api_keys: true }
  }
} as const)
