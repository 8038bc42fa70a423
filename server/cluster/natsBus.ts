import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type * as Nats from '@nats-io/transport-node'
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node'
import type { Report } from '../ports.ts'
import { BusError } from './bus.ts'
import type { Bus, Subject } from './bus.ts'

/** How any thread of a node reaches the bus. */
export type BusAddress = {
  /** `nats://[user:password@|token@]host:port`; with `?credentials=FILE` a file of NATS credentials. */
  url: string
  /** Separates the venues that share a server. */
  venueId: string
  /** Named in the server's list of connections. */
  name: string
}

const reconnectMs = 100
const pingMs = 2000
/** The server counts as lost after so many pings without an answer. */
const pingsMax = 2

/**
 * Opens a connection to a NATS server, which reconnects for as long as it is open. Messages are plain core NATS.
 * @throws if the server does not answer or rejects the credentials
 */
export async function openNatsBus({ url, venueId, name }: BusAddress, report: Report): Promise<Bus> {
  // Loaded here, because a venue alone starts without it.
  const nats = await import('@nats-io/transport-node')
  const connection = await nats.connect({
    ...connectionOptions(nats, url),
    name,
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    pingInterval: pingMs,
    maxPingOut: pingsMax,
  })
  let isConnected = true
  void watchStatus(connection, (connected) => (isConnected = connected))
  const subjectOf = (subject: Subject): string => `uptick.${venueId}.${subject}`
  const subscribe = (subject: Subject, receive: (message: Message) => void): (() => void) => {
    const subscription = connection.subscribe(subjectOf(subject), {
      callback: (error, message) => {
        if (error) return report('a subscription to the bus failed', error)
        receive({ data: message.data, respond: (data) => void message.respond(data) })
      },
    })
    return () => subscription.unsubscribe()
  }
  return {
    publish: (subject, message) => {
      // While the connection is away the client would queue what is stale by the time it is back.
      if (isConnected) connection.publish(subjectOf(subject), message)
    },
    subscribe: (subject, listener) => subscribe(subject, ({ data }) => listener(data)),
    request: async (subject, message, timeoutMs) => {
      if (!isConnected) throw new BusError('the bus is not connected', true)
      try {
        return (await connection.request(subjectOf(subject), message, { timeout: timeoutMs })).data
      } catch (error) {
        throw toBusError(nats, error)
      }
    },
    respond: (subject, answer) =>
      subscribe(subject, ({ data, respond }) => {
        answer(data).then(respond, (error: unknown) =>
          report('answering a request of another node failed', error),
        )
      }),
    isConnected: () => isConnected,
    close: async () => {
      // A server that is away would keep this waiting; what is queued for it is lost then, as any message may be.
      const sent = connection.flush().catch(() => undefined)
      await Promise.race([sent, wait(pingMs, undefined, { ref: false })])
      await connection.close()
    },
  }
}

type Message = { data: Uint8Array; respond: (data: Uint8Array) => void }

async function watchStatus(
  connection: NatsConnection,
  onChange: (connected: boolean) => void,
): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'reconnect') onChange(true)
    else if (type === 'disconnect' || type === 'close') onChange(false)
  }
}

function toBusError({ NoRespondersError, RequestError }: typeof Nats, error: unknown): BusError {
  const isUndelivered =
    error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
  return new BusError(error instanceof Error ? error.message : String(error), isUndelivered)
}

/** The parts of an address as the client's options. */
function connectionOptions({ credsAuthenticator }: typeof Nats, address: string): NodeConnectionOptions {
  const { protocol, host, username, password, searchParams } = new URL(address)
  const credentials = searchParams.get('credentials')
  return {
    servers: host,
    ...(protocol === 'tls:' && { tls: {} }),
    ...(username !== '' && password === '' && { token: decodeURIComponent(username) }),
    ...(password !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(credentials !== null && { authenticator: credsAuthenticator(readFileSync(credentials)) }),
  }
}
