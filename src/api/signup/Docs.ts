import { documentGroup } from "../GroupDocs.ts"
import { UserTokensV1 } from "./V1.ts"

const userToken = {
  id: "utk_7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA",
  object: "user_token",
  username: "sam",
  email: "sam@example.com",
  first_name: "Sam",
  last_name: null,
  credential_type: "password"
} as const

export const userTokensV1 = documentGroup(UserTokensV1, "Signup tokens: the data of future users.", {
  get: {
    summary: "Get a signup token",
    description: "A token is available while it is valid: for 24 hours, or until a user is created with it.",
    response: userToken
  },
  create: {
    summary: "Create a signup token",
    description: "Stores the data of a person who may become a user, validated as for a new user. Records no event.",
    request: {
      user_token: { username: "sam", email: "sam@example.com", password: "correct horse battery", first_name: "Sam" }
    },
    response: userToken
  }
})
