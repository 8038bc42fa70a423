import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { deskRoutes } from '../../../contract/desk.ts'
import type { Route } from '../../../contract/route.ts'
import { routes } from '../../../contract/routes.ts'
import type { DeskHouse } from '../deskHouse.ts'
import { deskKey } from '../deskHouse.ts'
import { seededRandom } from '../random.ts'
import { createPool } from './fuzzPool.ts'
import type { Pool } from './fuzzPool.ts'
import { prepareMember } from './fuzzMember.ts'
import type { Person } from './fuzzMember.ts'
import { faultOf } from './judge.ts'
import { requests } from './requests.ts'
import type { FuzzedRequest, Named } from './requests.ts'
import { watchMarket } from './untouched.ts'

export const memberCalls: readonly Named[] = Object.entries(routes as Record<string, Route>).map(
  ([name, route]) => ({ name, route, base: '/api' }),
)
export const deskCalls: readonly Named[] = Object.entries(deskRoutes).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, route]): Named => {
    return { name: `${noun}.${verb}`, route, base: '/desk' }
  }),
)
const calls = [...memberCalls, ...deskCalls]

export type FuzzReport = {
  sent: number
  faults: string[]
  /** Tables of prices and rows of orders that changed while no time passed. */
  steered: string[]
  /** How many answers of each status. */
  statuses: Map<number, number>
  /** Calls that never answered with what they are for. */
  neverDone: string[]
}

/** A member is replaced after so many requests: what the fuzz did to the old one would refuse all that follows. */
const memberLives = 250
/** What an answer named can be asked for after so many requests. */
const drawnAtOnce = 10

/** Sends requests made from the contract's schemas to a venue whose clock stands still, and judges each answer. */
export async function fuzzCalls(house: DeskHouse, count: number, seed: number): Promise<FuzzReport> {
  const random = seededRandom(seed)
  const pool = createPool(house.clock)
  const any = requests(calls, (named) => (field) => pool.known(nounOf(named.route.path), field))
  const report: FuzzReport = { sent: 0, faults: [], steered: [], statuses: new Map(), neverDone: [] }
  const done = new Set<string>()
  while (report.sent < count) {
    const member = await prepareMember(house, pool, random.next())
    const changes = await watchMarket(house.database)
    await fuzzAs(house, member, any, {
      count: Math.min(memberLives, count - report.sent),
      random,
      pool,
      heard: (request, answer) => {
        const { status, text } = answer
        report.sent += 1
        report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
        const fault = faultOf(routeOf(request), answer)
        if (fault !== null) report.faults.push(describe(request, fault))
        if (status < 300) {
          done.add(request.named.name)
          pool.remember(nounOf(request.named.route.path), text)
        }
      },
    })
    report.steered.push(...(await changes()))
  }
  report.neverDone = calls.map(({ name }) => name).filter((name) => !done.has(name))
  return report
}

type Heard = Awaited<ReturnType<typeof send>>
type Run = {
  count: number
  random: { next(): number }
  pool: Pool
  heard: (request: FuzzedRequest, answer: Heard) => void
}

/** Goes on with one member until so many requests are sent, or the session that they come with is gone. */
async function fuzzAs(
  house: DeskHouse,
  member: Person,
  any: fc.Arbitrary<FuzzedRequest>,
  { count, random, heard }: Run,
): Promise<void> {
  for (let sent = 0; sent < count;) {
    const seed = Math.floor(random.next() * 2 ** 31)
    for (const request of fc.sample(any, { numRuns: Math.min(drawnAtOnce, count - sent), seed })) {
      const answer = await send(house.app, member, request, random)
      heard(request, answer)
      sent += 1
      const sessionLost = answer.status === 401 && request.actor === 'member' && request.named.base === '/api'
      if (sessionLost && !request.mutation.startsWith('header')) return
    }
  }
}

/** Calls of one noun speak of the same ids: the first part of the path, or what follows it for the session's calls. */
const nounOf = (path: string): string =>
  path.split('/').findLast((part) => part.endsWith('-requests')) ?? path.split('/')[1] ?? ''

/** A changed method asks another call of the same address, or none. */
function routeOf({ named, method }: FuzzedRequest): Route | null {
  if (method === named.route.method) return named.route
  const { path } = named.route
  return (
    calls.find(({ base, route }) => base === named.base && route.path === path && route.method === method)
      ?.route ?? null
  )
}

/** Every request comes from an address of its own on this machine, so that the desk's count of failures starts anew. */
async function send(
  app: FastifyInstance,
  member: Person,
  request: FuzzedRequest,
  random: { next(): number },
) {
  const { method, path, payload, actor } = request
  const key = crypto.randomUUID()
  const session = { cookie: `sid=${member.sid}`, 'x-csrf-token': member.token, 'idempotency-key': key }
  const part = (): number => Math.floor(random.next() * 254) + 1
  const answer = await app.inject({
    method: method as 'GET',
    url: path,
    remoteAddress: `127.${part()}.${part()}.${part()}`,
    headers: {
      ...(actor === 'member' && session),
      ...(actor === 'desk' && { authorization: `Bearer ${deskKey}`, 'desk-actor': 'fuzz' }),
      ...request.headers,
    },
    ...(payload !== undefined && { payload }),
  })
  const type = String(answer.headers['content-type'] ?? '')
  return { status: answer.statusCode, type, text: answer.body }
}

const describe = ({ method, path, actor, mutation, payload }: FuzzedRequest, fault: string): string =>
  `${method} ${path} as ${actor} (${mutation}) ${payload?.slice(0, 200) ?? ''}: ${fault}`
