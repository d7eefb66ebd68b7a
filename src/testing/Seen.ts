import type { Api } from "./Api.ts"

/**
 * An event, reduced to the parts that tests compare: its type and the IDs of its resources. Its own ID, time, request, token,
 * actor, changed members, reason and login methods are removed.
 */
export type SeenEvent = Readonly<Record<string, unknown>>

const comparable = (event: Readonly<Record<string, unknown>>): SeenEvent => {
  const {
    id: _id,
    object: _object,
    event_at: _at,
    realm_id: _realm,
    request: _request,
    token: _token,
    actor: _actor,
    changed: _changed,
    reason: _reason,
    methods: _methods,
    ...rest
  } = event
  return rest
}

/** Reads the events of a realm. Tests use it to assert exactly which events an action records, or that it records none. */
export class Seen {
  readonly #api: Api
  readonly #version: "v1" | "v2"

  constructor(api: Api, version: "v1" | "v2" = "v2") {
    this.#api = api
    this.#version = version
  }

  /** Returns all events so far, oldest first, with the names of this API version. */
  async all(): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    return (await this.#api.get(`/${this.#version}/events?max_results=1000`)).items
  }

  /** Runs an action, and returns its result and the events that it recorded. */
  async during<A>(
    action: () => Promise<A>
  ): Promise<{ readonly result: A; readonly events: ReadonlyArray<SeenEvent> }> {
    const before = (await this.all()).length
    const result = await action()
    return { result, events: (await this.all()).slice(before).map(comparable) }
  }

  /** Runs an action, and returns the events that it recorded. */
  async caused(action: () => Promise<unknown>): Promise<ReadonlyArray<SeenEvent>> {
    return (await this.during(action)).events
  }
}
