import * as z from 'zod/mini'
import { appVersion } from '../../../contract/constants.ts'
import { socketPath } from '../../../contract/socket.ts'
import { socketQuery } from '../../../contract/tickFrame.ts'
import {
  clientEvents,
  memberResources,
  venueEvents,
  type SocketEvent,
  type SocketRequest,
} from '../../../contract/socketEvents.ts'
import { sharedSchemas } from './sharedSchemas.ts'

const requests: [string, SocketRequest][] = Object.entries(clientEvents)
const publicEvents: [string, SocketEvent][] = Object.entries(venueEvents)
const memberEvents: [string, SocketEvent][] = Object.entries(memberResources)

const replyNameOf = (event: string): string => `${event}Reply`
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const messageRef = (name: string) => ({ $ref: `#/channels/events/messages/${name}` })
const channelRef = { $ref: '#/channels/events' }

/** The AsyncAPI 3 description of the socket, from the same schemas as the OpenAPI description. */
export function describeSocket(): object {
  const schemas = describeSchemas()
  const names = [...requests, ...publicEvents, ...memberEvents].map(([name]) => name)
  const replyNames = requests.map(([name]) => replyNameOf(name))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Uptick venue: socket',
      version: appVersion,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      description:
        'Socket.IO 4 over WebSocket, or long polling where the configuration has `longPolling`, in the default namespace. Each message is a Socket.IO event with the name of the message and its payload as the only argument; a reply is the acknowledgement of the event. Orders are placed over REST.',
    },
    defaultContentType: 'application/json',
    servers: {
      venue: {
        host: '{host}',
        pathname: socketPath,
        protocol: 'wss',
        description: 'The address of the venue; without HTTPS the protocol is ws',
        variables: { host: { default: 'localhost:8080', description: 'Host and port' } },
      },
    },
    channels: {
      events: {
        address: '/',
        description: 'The default namespace',
        bindings: { ws: { query: describeQuery() } },
        messages: Object.fromEntries(
          [...names, ...replyNames].map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: describeOperations(),
    components: {
      messages: describeMessages(schemas.nameOf),
      schemas: schemas.described,
      securitySchemes: {
        session: { type: 'httpApiKey', in: 'cookie', name: 'sid', description: '`__Host-sid` over HTTPS' },
      },
    },
  }
}

/** What the address of a socket may have after its `?`, beside what Socket.IO adds. */
function describeQuery(): object {
  const { $schema: _schema, ...schema } = z.toJSONSchema(socketQuery, { target: 'draft-7', io: 'input' })
  return schema
}

/** What the venue does: it receives requests and answers them, and sends events, some of them only to members. */
function describeOperations(): object {
  const received = requests.map(([name, { summary }]) => [
    name,
    {
      action: 'receive',
      summary,
      channel: channelRef,
      messages: [messageRef(name)],
      reply: { channel: channelRef, messages: [messageRef(replyNameOf(name))] },
    },
  ])
  const sent = (events: readonly [string, SocketEvent][], security?: readonly object[]) =>
    events.map(([name, { summary }]) => [
      name,
      {
        action: 'send',
        summary,
        channel: channelRef,
        messages: [messageRef(name)],
        ...(security && { security }),
      },
    ])
  return Object.fromEntries([
    ...received,
    ...sent(publicEvents),
    ...sent(memberEvents, [{ $ref: '#/components/securitySchemes/session' }]),
  ])
}

type NameOf = (schema: z.ZodMiniType) => string

function describeMessages(nameOf: NameOf): object {
  const messages = [...requests, ...publicEvents, ...memberEvents].map(([name, { summary, payload }]) => [
    name,
    { name, summary, payload: schemaRef(nameOf(payload)) },
  ])
  const replies = requests.map(([name, { reply }]) => [
    replyNameOf(name),
    { name: replyNameOf(name), summary: `Acknowledgement of \`${name}\``, payload: schemaRef(nameOf(reply)) },
  ])
  return Object.fromEntries([...messages, ...replies])
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Every payload under a name, and the shared schemas that they use. */
function describeSchemas(): { described: Record<string, object>; nameOf: NameOf } {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(sharedSchemas)) registry.add(schema, { id })
  const nameAs = (schema: z.ZodMiniType, id: string): void => {
    if (!registry.has(schema)) registry.add(schema, { id })
  }
  for (const [name, { payload }] of [...publicEvents, ...memberEvents])
    nameAs(payload, `${capitalized(name)}Event`)
  for (const [name, { payload, reply }] of requests) {
    nameAs(payload, `${capitalized(name)}Request`)
    nameAs(reply, `${capitalized(name)}Reply`)
  }
  const nameOf: NameOf = (schema) => registry.get(schema)?.id ?? ''
  // Draft 7 is what AsyncAPI takes without naming a format.
  const { schemas } = z.toJSONSchema(registry, {
    target: 'draft-7',
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
  })
  const payloads = [...publicEvents, ...memberEvents, ...requests].map(([, { payload }]) => payload)
  const used = usedNames(schemas, [...payloads, ...requests.map(([, { reply }]) => reply)].map(nameOf))
  const described = [...used].map((name) => {
    const { $id: _id, $schema: _schema, ...schema } = schemas[name] ?? {}
    return [name, schema]
  })
  return { described: Object.fromEntries(described), nameOf }
}

/** Some schemas and all that they refer to. */
function usedNames(schemas: Record<string, object>, names: readonly string[]): Set<string> {
  const used = new Set<string>()
  const add = (name: string): void => {
    if (used.has(name)) return
    used.add(name)
    for (const [, ref = ''] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      add(ref)
  }
  for (const name of names) add(name)
  return used
}
