import { routes } from '../../../contract/routes.ts'
import type { Route } from '../../../contract/route.ts'
import type { PriceAlert } from '../../../contract/priceAlerts.ts'
import { createFuzzPool } from './fuzzPool.ts'
import { prepareMember } from './fuzzMember.ts'
import type { MemberClient, Reply } from '../../support/apiCalls.ts'
import { addPasskey } from '../../support/passkeys.ts'
import { loginPassword, transactionPassword } from '../../support/testMembers.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

type AccessReport = { tried: number; violations: string[] }
type Method = Route['method']
const verbs: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Every member route with a resource in its path: another member's resource must not be found there. */
export const resourceRoutes = Object.entries(routes as Record<string, Route>).filter(
  ([, { member, params }]) => member === true && params !== undefined,
)

const idOf = async (owner: MemberClient, path: string, field = 'id'): Promise<string> => {
  const { body } = await owner.get<Record<string, unknown>>(path)
  const [first] = (Array.isArray(body) ? body : body['items']) as Record<string, string>[]
  const id = first?.[field]
  if (id === undefined) throw new Error(`no item under ${path}`)
  return id
}

/** The owner's id for each of these routes. The check throws if a route is missing here. */
const ownedIds: Record<string, (owner: MemberClient, venue: TickingVenue) => Promise<string>> = {
  endSession: (owner) => idOf(owner, '/auth/sessions'),
  denyLogin: (owner) => idOf(owner, '/auth/logins'),
  order: (owner) => idOf(owner, '/orders'),
  orderByKey: (owner) => idOf(owner, '/orders', 'key'),
  orderProof: (owner) => idOf(owner, '/orders'),
  cancelWithdrawal: (owner) => idOf(owner, '/withdrawals'),
  viewUpload: (owner, venue) => venue.upload(owner, 'service'),
  renamePasskey: async (owner) => (await addPasskey(owner)).passkey.id,
  removePasskey: async (owner) => (await addPasskey(owner)).passkey.id,
  removePriceAlert: async (owner) => {
    const alert = { productId: 'BTCUSDT', kind: 'above', price: '1000000' }
    return (await owner.post<PriceAlert>('/price-alerts', alert)).body.id
  },
}
/** The bodies of routes that need one before they look for the resource. */
const validBodies: Record<string, object> = {
  renamePasskey: { name: 'Mine' },
  removePasskey: { password: loginPassword },
}

/**
 * Requests each resource of one member as another member and as a visitor, with every verb, and names them in bodies. The
 * answer must be the same as for a missing resource, and the owner's resources must not change.
 */
export async function tryOthersResources(venue: TickingVenue): Promise<AccessReport> {
  const owner = await prepareMember(venue, createFuzzPool(venue.clock), 0.5)
  const other = await prepareMember(venue, createFuzzPool(venue.clock), 0.5)
  const report: AccessReport = { tried: 0, violations: [] }
  const ids: Record<string, string> = {}
  for (const [name] of resourceRoutes) {
    const make = ownedIds[name]
    if (!make) throw new Error(`${name} has a resource in its path and is not tested`)
    ids[name] = await make(owner, venue)
  }
  const before = await snapshotOf(owner)
  for (const [name, { path }] of resourceRoutes) {
    const at = (id: string): string => path.replace(/:\w+/, id)
    const id = ids[name] ?? ''
    for (const method of verbs) {
      const answer = await request(other, method, at(id), validBodies[name])
      const missing = await request(other, method, at('no-such-resource'), validBodies[name])
      report.tried += 1
      if (answer.status !== 404 || comparableText(answer) !== comparableText(missing)) {
        report.violations.push(
          `${method} ${at(id)} as another member: ${answer.status} ${answer.text.slice(0, 100)}`,
        )
      }
      const anonymous = await venue.app.inject({ method, url: `/api${at(id)}` })
      report.tried += 1
      if (anonymous.statusCode !== 401 && anonymous.statusCode !== 404)
        report.violations.push(`${method} ${at(id)} as a visitor: ${anonymous.statusCode}`)
    }
  }
  await tryNamedInBodies(venue, owner, other, report)
  if ((await snapshotOf(owner)) !== before) report.violations.push('a resource of the owner changed')
  return report
}

const request = (who: MemberClient, method: Method, path: string, body: object = {}): Promise<Reply> =>
  method === 'GET' ? who.get(path) : method === 'POST' ? who.post(path, body) : who.send(method, path, body)
/** An answer without what differs from request to request. */
const comparableText = ({ text }: Reply): string => text.replace(/"requestId":"[^"]+"/, '')

/** Another member's upload, account and messages, named in a body. */
async function tryNamedInBodies(
  venue: TickingVenue,
  owner: MemberClient,
  other: MemberClient,
  report: AccessReport,
): Promise<void> {
  const service = await venue.upload(owner, 'service')
  const proof = await venue.upload(owner, 'deposit_proof')
  const front = await venue.upload(owner, 'id_front')
  const back = await venue.upload(owner, 'id_back')
  const { body: bound } = await owner.get<{ account: { id: string } }>('/withdrawal-account')
  const message = await idOf(owner, '/messages')
  const person = {
    name: 'Ann Lee',
    idNumber: 'S1234567',
    nationality: 'SG',
    frontUploadId: front,
    backUploadId: back,
  }
  const unverified = await venue.registerMember()
  const tries: [string, Reply, number[]][] = [
    [
      'upload in a message',
      await other.send('POST', '/service/messages', { body: 'x', uploadId: service }),
      [400],
    ],
    [
      'upload in a deposit',
      await other.post('/deposits', { methodId: 'practice', amount: '10.00', proofUploadId: proof }),
      [400, 404, 422],
    ],
    ['photos in a verification', await unverified.send('POST', '/verification', person), [400]],
    [
      'account in a withdrawal',
      await other.post('/withdrawals', { amount: '10.00', accountId: bound.account.id, transactionPassword }),
      [404, 422],
    ],
    // Marking as read does not reveal what exists; the owner's snapshot shows that nothing changed.
    ['message as read', await other.send('POST', '/messages/read', { ids: [message] }), [204, 404]],
  ]
  for (const [what, { status, text }, allowed] of tries) {
    report.tried += 1
    if (!allowed.includes(status)) report.violations.push(`${what}: ${status} ${text.slice(0, 100)}`)
  }
}

/** Everything the owner has, as one text. */
async function snapshotOf(owner: MemberClient): Promise<string> {
  const paths = [
    '/orders',
    '/withdrawals',
    '/withdrawal-account',
    '/messages',
    '/service/messages',
    '/me',
    '/me/ledger',
    '/deposits',
    '/auth/sessions',
    '/auth/second-factors',
    '/price-alerts',
  ]
  const replies = await Promise.all(paths.map((path) => owner.get(path)))
  return replies.map(({ text }) => text.replaceAll(/"lastSeenAt":\d+/g, '')).join('\n')
}
