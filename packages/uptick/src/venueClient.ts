import { clientOver, type Client, type Received } from '../../../src/api/clientOver.ts'

/** What a member's session needs; without it only prices come. */
export type VenueSession = {
  /** The `token` of the log-in's answer. */
  token: string
  /** The session's cookie, as `name=value`. */
  cookie: string
}

/** Sends a request and reads the answer. @throws TypeError if nothing answers */
export type Ask = (
  address: string,
  request: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<Received>

/** The calls of a venue, outside its app. */
export const venueClient = (origin: string, ask: Ask, session?: VenueSession): Client =>
  clientOver(
    ({ path, query, body, headers, ...sent }) =>
      ask(`${origin}/api${path}?${new URLSearchParams(query as Record<string, string>)}`, {
        ...sent,
        headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    {
      headers: cookieOf(session),
      session: { token: () => session?.token ?? null, onEnded: () => undefined },
    },
  )

export const cookieOf = (session?: VenueSession): Record<string, string> =>
  session === undefined ? {} : { cookie: session.cookie }
