import metaschema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' }
import { Ajv } from 'ajv'
import { beforeAll, expect, it } from 'vitest'
import { clientEvents, memberResources, venueEvents } from '../../../../contract/socketEvents.ts'
import type { ListAnswer, MemberClient } from '../../../support/apiCalls.ts'
import { lintDescription } from '../../../support/lintDescription.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import type { SocketClient } from '../../../support/socketClients.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Ref = { $ref: string }
type Description = {
  channels: { events: { messages: Record<string, Ref> } }
  operations: Record<
    string,
    { action: string; messages: Ref[]; security?: Ref[]; reply?: { messages: Ref[] } }
  >
  components: { messages: Record<string, { name: string }>; schemas: Record<string, object> }
}

let text: string
let description: Description
// In live mode the desk decides deposits.
const venue = await withVenue({ live: true })
beforeAll(async () => {
  text = (await venue.app.inject({ url: '/api/asyncapi.json' })).body
  description = JSON.parse(text)
})

const publicNames = Object.keys(venueEvents)
const memberNames = Object.keys(memberResources)
const requestNames = Object.keys(clientEvents)

it('passes the linter', async () => {
  expect(await lintDescription(text)).toEqual([])
})

it('is what the schema of AsyncAPI 3.0 allows, everywhere', () => {
  const isAllowed = createMetaschemaCheck()
  expect(isAllowed(description)).toEqual([])
  // The schema is one that refuses something, at the root and deep inside.
  expect(isAllowed({ ...description, asyncapi: '4.0.0' })).not.toEqual([])
  const [name = '', operation] = Object.entries(description.operations)[0] ?? []
  const operations = { ...description.operations, [name]: { ...operation, action: 'publish' } }
  expect(isAllowed({ ...description, operations })).not.toEqual([])
})

/** The errors of a document by AsyncAPI's own schema, which is in draft 7. */
function createMetaschemaCheck(): (document: object) => string[] {
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(metaschema)
  return (document) =>
    validate(document)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

it('has an operation for every event, received with a reply or sent, those of members with a session', () => {
  const { operations, channels } = description
  const ref = (name: string) => ({ $ref: `#/channels/events/messages/${name}` })
  expect(Object.keys(operations)).toEqual([...requestNames, ...publicNames, ...memberNames])
  for (const [name, { action, messages, security, reply }] of Object.entries(operations)) {
    expect(messages).toEqual([ref(name)])
    expect(channels.events.messages[name]).toEqual({ $ref: `#/components/messages/${name}` })
    expect(description.components.messages[name]!.name).toBe(name)
    expect(action).toBe(requestNames.includes(name) ? 'receive' : 'send')
    expect(reply?.messages).toEqual(requestNames.includes(name) ? [ref(`${name}Reply`)] : undefined)
    expect(security !== undefined).toBe(memberNames.includes(name))
  }
  const unused = Object.keys(description.components.schemas).filter(
    (name) => !text.includes(`"#/components/schemas/${name}"`),
  )
  expect(unused).toEqual([])
})

/** What members and desk do so that the venue sends each of its events. */
async function causeEveryEvent(member: MemberClient): Promise<void> {
  tickOnce(venue)
  await placeOrder(venue, member)
  await runMarket(venue, 32_000, (at) => 10_000 + (at % 97))
  const calls: [path: string, body: object][] = [
    ['/deposits', { methodId: 'bank-1', amount: '20.00' }],
    ['/withdrawals', { amount: '30.00', transactionPassword }],
    ['/fund/deposits', { amount: '40.00' }],
    ['/service/messages', { body: 'Hello?' }],
    ['/price-alerts', { productId: 'TEST', kind: 'below', price: '50.00' }],
  ]
  for (const [path, body] of calls)
    expect([path, (await member.post(path, body)).status]).toEqual([path, 201])
  for (const kind of ['deposits', 'withdrawals']) {
    const { items } = (await venue.office<ListAnswer<{ id: string }>>('GET', `/${kind}`)).body
    await venue.office('POST', `/${kind}/${items[0]!.id}/approve`, { body: {} })
  }
  venue.market.setTradingHours({ status: 'closed', opensAt: venue.clock.now() + 1000, closesAt: null })
  await venue.office('POST', '/site/maintenance', { body: {} })
  await venue.clock.advance(2000)
}

it('describes what a running venue sends and answers', async () => {
  const ajv = new Ajv({ strict: false }).addSchema(description, 'description')
  const problemOf = (name: string, payload: unknown): string | null => {
    const validate = ajv.getSchema(`description#/components/messages/${name}/payload`)!
    return validate(payload) === true
      ? null
      : `${name}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(payload)}`
  }
  const member = await venue.createVerifiedMember()
  const applicant = await venue.createMember()
  const connect = async ({ sid }: MemberClient) => venue.connect({ cookie: `sid=${sid}` })
  const delta = { query: { ticks: 'delta' } }
  const sockets: SocketClient[] = [
    await connect(member),
    await connect(applicant),
    await venue.connect({}, delta),
  ]
  const [ofMember, ofApplicant, ofVisitor] = sockets as [SocketClient, SocketClient, SocketClient]
  const requests: [SocketClient, string, unknown][] = [
    [ofMember, 'subscribe', { products: ['TEST'] }],
    [ofVisitor, 'subscribe', { products: ['TEST'], mode: 'latest' }],
    [ofVisitor, 'subscribe', { products: ['NONE'] }],
    [ofVisitor, 'subscribe', { products: [] }],
    [ofVisitor, 'clock', 17.5],
    [ofVisitor, 'clock', 'now'],
    [ofVisitor, 'unsubscribe', { products: ['NONE'] }],
    [ofVisitor, 'unsubscribe', 7],
  ]
  const problems: (string | null)[] = []
  for (const [socket, name, payload] of requests) {
    const reply = await socket.request<{ code?: string }>(name, payload)
    problems.push(problemOf(`${name}Reply`, reply))
    // What the venue refuses as malformed is malformed by the description too, and nothing else is.
    expect([name, payload, problemOf(name, payload) !== null]).toEqual([
      name,
      payload,
      reply.code === 'VALIDATION',
    ])
  }
  await causeEveryEvent(member)
  await venue.submitVerification(applicant)
  await ofApplicant.sync()
  await member.send('POST', '/auth/logout')
  await expect.poll(() => ofMember.socket.connected).toBe(false)
  await ofVisitor.sync()
  const received = sockets.flatMap((socket) => socket.received)
  expect(new Set(received.map(([name]) => name))).toEqual(new Set([...publicNames, ...memberNames]))
  problems.push(...received.map(([name, payload]) => problemOf(name, payload)))
  expect(problems.filter((problem) => problem !== null)).toEqual([])
})
