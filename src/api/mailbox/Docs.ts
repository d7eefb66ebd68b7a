import { documentGroup, maxResults, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { MAX_WAIT, MessagesV2 } from "./V2.ts"

const link = "https://acme.eu.id.example.com/verify?token=tve%3A7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA"

const message = {
  id: "ml_01m7y8xyt5c7e9g1j3m5p7r9t2",
  object: "message",
  realm_id: user.realm_id,
  message_id: "ent_01m7y8xyr3f5b7d9h1k3m5p7r9@id.example.com",
  from: "no-reply@id.example.com",
  from_name: "Acme",
  to: user.email,
  subject: "Confirm your email address for Acme",
  text: `Please confirm that jo@example.com is the email address for your Acme account.\n\n${link}`,
  html: `<p>Please confirm that jo@example.com is the email address for your <strong>Acme</strong> account.</p>`,
  source: "From: Acme <no-reply@id.example.com>\r\nTo: jo@example.com\r\n…",
  created_at: 1_795_238_592.1,
  links: [link],
  codes: []
} as const

export const messagesV2 = documentGroup(
  MessagesV2,
  "The emails of a service that stores emails instead of sending them: without a mail server, and with the embedded database or in test mode. Otherwise, these endpoints return 404. If the service has neither a public URL nor trusted proxies, callers on its own machine need no API key, but if they send one, it must be valid.",
  {
    list: {
      summary: "List mails",
      description: "Lists the emails of all realms, newest first. Only the newest 1,000 are stored.",
      response: page(message)
    },
    get: { summary: "Get an email", response: message },
    clear: {
      summary: "Delete mails",
      description: "Deletes the emails to an address or of a realm. Without either, deletes all emails."
    }
  },
  {
    to: { description: "Return only emails to this address, ignoring case. Default: all." },
    realm_id: { description: "Return only emails of this realm. Default: all." },
    created_at_after: {
      description:
        "Return only emails stored after this time: Unix time in seconds, with up to three decimals, exclusive. Default: all."
    },
    newer_than: {
      description:
        "Return only emails stored after the email with this ID. To wait for the next email, pass the ID of the last email seen, with `wait`. Default: all."
    },
    message_id: { description: "The email's ID." },
    max_results: maxResults(100),
    wait: {
      description: `The seconds to wait for an email if none matches the other parameters yet: 0 to ${MAX_WAIT}, in real time even if the test clock is advanced. Default: 0.`,
      schema: { default: 0 }
    }
  }
)
