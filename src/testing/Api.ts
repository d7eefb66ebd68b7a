import { type Transport, transportTo } from "./Transport.ts"

/** The response to a call. */
export class Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(status: number, headers: Headers, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  /** The body as JSON, or undefined if there is none. */
  get body(): unknown {
    return this.text === "" ? undefined : JSON.parse(this.text)
  }

  /** Returns a member of the body by its path, for example `reply.member("user", "id")`. */
  member(...path: ReadonlyArray<string | number>): unknown {
    return path.reduce<unknown>(
      (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
      this.body
    )
  }

  /** Returns a member that must be a string. Otherwise, it throws an error that shows the response. */
  string(...path: ReadonlyArray<string | number>): string {
    const value = this.member(...path)
    if (typeof value === "string") return value
    throw new Error(`No text at ${path.join(".")} of ${this.status} ${this.text}`)
  }

  get id(): string {
    return this.string("id")
  }

  /** The items of a list. */
  get items(): ReadonlyArray<Readonly<Record<string, unknown>>> {
    const items = this.member("collection")
    if (Array.isArray(items)) return items
    throw new Error(`No collection in ${this.status} ${this.text}`)
  }

  /** The messages of an error. */
  get errors(): unknown {
    return this.member("errors")
  }
}

/**
 * The contents of a call besides its method and path. A string or bytes in `body` are sent as is; other values are sent as
 * JSON.
 */
export interface Call {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array

/** A caller of the management API with an API key. If `realmId` is set, it is added to every call. */
export class Api {
  /** The transport of calls to the service. */
  readonly transport: Transport
  readonly key: string | undefined
  readonly realmId: string | undefined

  /** `to` is the URL of a service to call over HTTP, or another transport. */
  constructor(to: string | Transport, key: string | undefined, realmId?: string) {
    this.transport = transportTo(to)
    this.key = key
    this.realmId = realmId
  }

  /** The URL of the service. */
  get url(): string {
    return this.transport.url
  }

  async call(method: string, path: string, { body, headers = {} }: Call = {}): Promise<Reply> {
    const response = await this.transport.send({
      method,
      path,
      headers: {
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...(this.realmId === undefined ? {} : { "x-service-realm": this.realmId }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      body: body === undefined || typeof body === "string" || isBytes(body) ? body : JSON.stringify(body)
    })
    return new Reply(response.status, response.headers, response.text)
  }

  get(path: string): Promise<Reply> {
    return this.call("GET", path)
  }
  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.call("POST", path, { body, headers })
  }
  put(path: string, body: unknown): Promise<Reply> {
    return this.call("PUT", path, { body })
  }
  delete(path: string): Promise<Reply> {
    return this.call("DELETE", path)
  }
}
