// app/orgs/[org]/route.js of a Next.js app.
import { withSession } from "sallyport/client/next"

const options = { jwtKey: process.env.JWT_KEY, cookie: "session", orgParam: "org", permission: "billing:read" }

export const GET = withSession(options, (_request, { session, params }) =>
  Response.json({ email: session.user.email, org: params.org })
)
