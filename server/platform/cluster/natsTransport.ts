import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type * as Nats from '@nats-io/transport-node'
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node'
import { assertNever } from '../../../contract/units.ts'
import type { Report } from '../ports.ts'
import { BusError, type Subject, type Transport } from './bus.ts'
import { parseBusUrl } from './busUrl.ts'

/** How any thread of a node reaches the server. */
export type NatsAddress = {
  /** See {@link parseBusUrl}. */
  url: string
  /** Separates the venues that share a server. */
  space: string
  /** Named in the server's list of connections. */
  name: string
}

const reconnectMs = 100
const pingMs = 2000
/** The server counts as lost after so many pings without an answer. */
const pingsMax = 2

/**
 * Opens a connection to a NATS server, which reconnects, to another one of the addresses too, for as long as it is open.
 * Messages are plain core NATS.
 * @throws if no server answers, or it rejects the credentials
 */
export async function openNatsTransport(
  { url, space, name }: NatsAddress,
  report: Report,
): Promise<Transport> {
  // Loaded here, because a venue alone starts without it.
  const nats = await import('@nats-io/transport-node')
  const connection = await nats.connect({
    ...connectionOptions(nats, url),
    name,
    noEcho: true,
    maxReconnectAttempts: -1,
    // A file of users may be wrong for a moment, or reach the servers one after the other.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    pingInterval: pingMs,
    maxPingOut: pingsMax,
  })
  let isConnected = true
  void watchStatus(connection, (connected) => (isConnected = connected), report)
  const subjectOf = (subject: Subject): string => `uptick.${space}.${subject}`
  return {
    publish: (subject, message) => {
      // While the connection is away the client would queue what is stale by the time it is back.
      if (isConnected) connection.publish(subjectOf(subject), message)
    },
    subscribe: (subject, listener) => {
      const subscription = connection.subscribe(subjectOf(subject), {
        callback: (error, message) => {
          if (error) return report('a subscription to the bus failed', error)
          const isRequest = message.reply !== undefined && message.reply !== ''
          const reply = (answer: Uint8Array): void => {
            if (isConnected) message.respond(answer)
          }
          listener(message.data, isRequest ? reply : null)
        },
      })
      return () => subscription.unsubscribe()
    },
    request: async function* (subject, message, timeoutMs) {
      if (!isConnected) throw new BusError('the bus is not connected')
      try {
        const answers = await connection.requestMany(subjectOf(subject), message, {
          strategy: 'timer',
          maxWait: timeoutMs,
        })
        for await (const { data } of answers) yield data
      } catch (error) {
        throw new BusError(error instanceof Error ? error.message : String(error))
      }
    },
    isConnected: () => isConnected,
    close: async () => {
      // A server that is away would keep this waiting; what is queued for it is lost then, as any message may be.
      const sent = connection.flush().catch(() => undefined)
      await Promise.race([sent, wait(pingMs, undefined, { ref: false })])
      await connection.close()
    },
  }
}

async function watchStatus(
  connection: NatsConnection,
  onChange: (connected: boolean) => void,
  report: Report,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') onChange(true)
    else if (status.type === 'disconnect' || status.type === 'close') onChange(false)
    else if (status.type === 'error') report('the bus refuses this node', status.error)
  }
}

function connectionOptions(
  { credsAuthenticator, nkeyAuthenticator }: typeof Nats,
  url: string,
): NodeConnectionOptions {
  const { servers, isTls, credentials } = parseBusUrl(url)
  const options: NodeConnectionOptions = { servers, ...(isTls && { tls: {} }) }
  switch (credentials.kind) {
    case 'none':
      return options
    case 'token':
      return { ...options, token: credentials.token }
    case 'password':
      return { ...options, user: credentials.user, pass: credentials.password }
    case 'nkey':
      return { ...options, authenticator: nkeyAuthenticator(trimmed(readFileSync(credentials.file))) }
    case 'file':
      return { ...options, authenticator: credsAuthenticator(readFileSync(credentials.file)) }
    default:
      return assertNever(credentials)
  }
}

/** A seed as an editor leaves it, without the line's end. */
const trimmed = (seed: Buffer): Uint8Array => Buffer.from(seed.toString('latin1').trim(), 'latin1')
