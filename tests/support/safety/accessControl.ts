import { routes } from '../../../contract/routes.ts'
import type { Route } from '../../../contract/route.ts'
import type { BackOfficeVenue } from '../backOfficeVenue.ts'
import { transactionPassword } from '../backOfficeVenue.ts'
import type { MemberClient, Reply } from '../testVenue.ts'
import { createFuzzPool } from './fuzzPool.ts'
import { prepareMember } from './fuzzMember.ts'

type AccessReport = { tried: number; violations: string[] }
type Method = Route['method']
const verbs: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Every call of a member that names a thing by its address: there, another member's thing is not to be found. */
export const resourceRoutes = Object.entries(routes as Record<string, Route>).filter(
  ([, { member, params }]) => member === true && params !== undefined,
)

const idOf = async (owner: MemberClient, path: string, field = 'id'): Promise<string> => {
  const { body } = await owner.get<Record<string, unknown>>(path)
  const [first] = (Array.isArray(body) ? body : body['items']) as Record<string, string>[]
  const id = first?.[field]
  if (id === undefined) throw new Error(`nothing under ${path}`)
  return id
}

/** An id of the owner's for each of these calls. A call that has none here ends the test: it must be thought of. */
const ownedIds: Record<string, (owner: MemberClient, venue: BackOfficeVenue) => Promise<string>> = {
  endSession: (owner) => idOf(owner, '/auth/sessions'),
  order: (owner) => idOf(owner, '/orders'),
  orderByKey: (owner) => idOf(owner, '/orders', 'key'),
  orderProof: (owner) => idOf(owner, '/orders'),
  cancelWithdrawal: (owner) => idOf(owner, '/withdrawals'),
  viewUpload: (owner, venue) => venue.upload(owner, 'service'),
}

/**
 * Asks for each of one member's things as another member, with every verb, and names them in bodies: the answer is the
 * same as for what does not exist, and the owner's things are as before. Then as nobody.
 */
export async function tryOthersResources(venue: BackOfficeVenue): Promise<AccessReport> {
  const owner = await prepareMember(venue, createFuzzPool(venue.clock), 0.5)
  const other = await prepareMember(venue, createFuzzPool(venue.clock), 0.5)
  const report: AccessReport = { tried: 0, violations: [] }
  const before = await snapshotOf(owner)
  for (const [name, { path }] of resourceRoutes) {
    const make = ownedIds[name]
    if (!make) throw new Error(`${name} names a thing by its address and is not tried`)
    const at = (id: string): string => path.replace(/:\w+/, id)
    const id = await make(owner, venue)
    for (const method of verbs) {
      const answer = await request(other, method, at(id))
      const missing = await request(other, method, at('no-such-thing'))
      report.tried += 1
      if (answer.status !== 404 || comparableText(answer) !== comparableText(missing)) {
        report.violations.push(
          `${method} ${at(id)} as another: ${answer.status} ${answer.text.slice(0, 100)}`,
        )
      }
      const anonymous = await venue.app.inject({ method, url: `/api${at(id)}` })
      report.tried += 1
      if (anonymous.statusCode !== 401 && anonymous.statusCode !== 404)
        report.violations.push(`${method} ${at(id)} as nobody: ${anonymous.statusCode}`)
    }
  }
  await tryNamedInBodies(venue, owner, other, report)
  if ((await snapshotOf(owner)) !== before) report.violations.push('a thing of the owner changed')
  return report
}

const request = (who: MemberClient, method: Method, path: string): Promise<Reply> =>
  method === 'GET' ? who.get(path) : method === 'POST' ? who.post(path, {}) : who.send(method, path, {})
/** An answer but for what differs from call to call. */
const comparableText = ({ text }: Reply): string => text.replace(/"requestId":"[^"]+"/, '')

/** Another member's upload, account and messages, named in a body. */
async function tryNamedInBodies(
  venue: BackOfficeVenue,
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
    // Marking read says nothing of what there is; that it changes nothing is seen by the owner.
    ['message as read', await other.send('POST', '/messages/read', { ids: [message] }), [204, 404]],
  ]
  for (const [what, { status, text }, allowed] of tries) {
    report.tried += 1
    if (!allowed.includes(status)) report.violations.push(`${what}: ${status} ${text.slice(0, 100)}`)
  }
}

/** What the owner has, in one text. */
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
  ]
  const replies = await Promise.all(paths.map((path) => owner.get(path)))
  return replies.map(({ text }) => text.replaceAll(/"lastSeenAt":\d+/g, '')).join('\n')
}
