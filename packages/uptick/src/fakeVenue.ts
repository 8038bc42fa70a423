import * as z from 'zod/mini'
import { authRoutes } from '../../../contract/auth.ts'
import { canonicalJson } from '../../../contract/canonicalJson.ts'
import { dayMs, hourMs } from '../../../contract/time.ts'
import { fieldErrors, type ErrorBody } from '../../../contract/errors.ts'
import { errorStatus, isStoredAnswer } from '../../../contract/errorStatus.ts'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import { memberRoutes, type User } from '../../../contract/member.ts'
import { orderRoutes, isFinal, type Order } from '../../../contract/orders.ts'
import { keyPattern, type Route, type RouteReply, type RouteRequest } from '../../../contract/route.ts'
import {
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../../contract/rules.ts'
import { minor } from '../../../contract/units.ts'
import type { ReplayMarket } from '../../../streams/replay/replayMarket.ts'
import { answerCall } from './cli/replayCalls.ts'
import { apiOf, fetchOf, type FakeAnswer, type FakeRequest, type Handle, type Header } from './fakeClients.ts'
import { FakeTrading, Rejected, assetsOf, type Account } from './fakeTrading.ts'

/**
 * A venue in memory on a replayed market: registration, login, member, products, balance and orders as a venue answers
 * them, and as it settles. It has one member, with whom `streams` trade.
 */
export type FakeVenue = {
  /** In the place of `fetch`, below any origin: `vi.stubGlobal('fetch', venue.fetch)`. It keeps cookies as a browser does. */
  fetch: typeof fetch
  /** For a server or a mocking library: one call and its answer. */
  handle: Handle
  /** The member of `streams`, for a login too. */
  member: { account: string; password: string }
  /** Every order, newest first. */
  orders: () => Order[]
}

type Person = Account & { user: User; phone: string; password: string; answers: Map<string, StoredAnswer> }
type Session = { person: Person; token: string }
type StoredAnswer = FakeAnswer & { request: string }
/** `person` and `token` are there if the route needs a session; `sid` is that of a session that the call may open. */
type Call<R extends Route> = RouteRequest<R> & { person: Person; token: string; key: string; sid: string }
type Mounted = { route: Route; path: RegExp; answer: (call: Call<Route>) => unknown }

const openingBalance = minor(1_000_000)
const openingCode = 'UPTICK'
const streamsMember = { account: 'tester', password: 'correct horse 7' }

/**
 * @param onEvent the member events of the account that `streams` trade with
 * @returns `refusal`: why the last order was refused, to end a sentence
 */
export function createFakeVenue(market: ReplayMarket, onEvent: (name: string, data: unknown) => void) {
  let ids = 0
  const newId = (): string => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`
  const members = createMembers(newId)
  const own = members.open(streamsMember.account, '13800138000', streamsMember.password)
  const trading = new FakeTrading({
    market,
    newId,
    publish: (account, name, data) => void (account === own && onEvent(name, data)),
  })
  const { sessions } = members
  sessions.set(streamsMember.account, { person: own, token: streamsMember.account })
  const mounted = [...mountLogin(members, market), ...mountMember(trading)]
  let refusal = ''
  const handle = (request: FakeRequest): FakeAnswer => {
    const sid = newId()
    trading.advance()
    const url = new URL(request.url, 'http://venue')
    const path = url.pathname.replace(/^\/api/, '')
    const found = mounted.find((one) => one.route.method === request.method && one.path.test(path))
    const answer = answerOf(() =>
      found
        ? run(found, { request, url, path, session: sessions.get(cookieOf(request.headers, 'sid')), sid })
        : { ...answerCall(market, request.method, url), headers: [] },
    )
    if (found?.route === orderRoutes.placeOrder && answer.status >= 400)
      refusal = `: ${JSON.stringify({ ...(answer.body as ErrorBody).error, requestId: undefined })}`
    const cookies = sessions.has(sid) ? [`sid=${sid}`, `device=${newId()}`] : []
    return {
      ...answer,
      headers: [
        ...answer.headers,
        ['server-time', String(market.clock.now())],
        ...cookies.map((cookie): Header => ['set-cookie', `${cookie}; Path=/; HttpOnly; SameSite=Lax`]),
      ],
    }
  }
  const orders = (): Order[] =>
    members.people
      .flatMap((person) => person.orders)
      .sort((a, b) => b.order.no.localeCompare(a.order.no))
      .map((placed) => trading.view(placed))
  const venue: FakeVenue = { handle, fetch: fetchOf(handle), member: streamsMember, orders }
  return {
    venue,
    api: apiOf(handle, streamsMember.account),
    advance: () => trading.advance(),
    newId,
    refusal: () => refusal,
  }
}

function createMembers(newId: () => string) {
  const people: Person[] = []
  const sameAccount = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  const find = (account: string): Person | undefined =>
    people.find(({ user }) => sameAccount(user.account, account))
  return {
    newId,
    people,
    find,
    sessions: new Map<string, Session>(),
    checked: new Map<string, { account: string; phone: string }>(),
    open: (account: string, phone: string, password: string): Person => {
      const money: Account = { available: openingBalance, pnl: minor(0), version: 1, orders: [] }
      const user = userOf(newId(), account, phone)
      const person = { ...money, user, phone, password, answers: new Map<string, StoredAnswer>() }
      people.push(person)
      return person
    },
    assertFree: (account: string, phone: string): void => {
      if (find(account)) throw new Rejected({ code: 'ACCOUNT_TAKEN' })
      if (people.some((person) => person.phone === phone)) throw new Rejected({ code: 'PHONE_TAKEN' })
    },
  }
}

function on<R extends Route>(route: R, answer: (call: Call<R>) => RouteReply<R> | undefined): Mounted {
  const path = route.path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
  return { route, path: new RegExp(`^${path}$`), answer: answer as unknown as Mounted['answer'] }
}

function mountLogin(members: ReturnType<typeof createMembers>, { clock }: ReplayMarket): Mounted[] {
  const { newId, checked, sessions } = members
  return [
    on(authRoutes.registerCheck, ({ body: { account, phone, openingCode: code } }) => {
      if (code !== openingCode) throw new Rejected({ code: 'OPENING_CODE_INVALID' })
      members.assertFree(account, phone)
      const registerToken = newId()
      checked.set(registerToken, { account, phone })
      return { registerToken, expiresAt: clock.now() + hourMs / 2 }
    }),
    on(authRoutes.register, ({ body }) => {
      const form = checked.get(body.registerToken)
      const fields = {
        password: passwordRule(body.password, form),
        confirmPassword: passwordsMatch(body.password, body.confirmPassword),
        transactionPassword: transactionPasswordRule(body.transactionPassword),
        confirmTransactionPassword: transactionPasswordsMatch(
          body.transactionPassword,
          body.confirmTransactionPassword,
        ),
      }
      const wrong = Object.entries(fields).flatMap(([name, code]) => (code ? [[name, code] as const] : []))
      if (wrong.length > 0) throw new Rejected({ code: 'VALIDATION', fields: Object.fromEntries(wrong) })
      if (!form) throw new Rejected({ code: 'REGISTER_TOKEN_EXPIRED' })
      members.assertFree(form.account, form.phone)
      return { memberId: members.open(form.account, form.phone, body.password).user.id }
    }),
    on(authRoutes.login, ({ body, sid }) => {
      const person = members.find(body.account)
      if (person?.password !== body.password) throw new Rejected({ code: 'BAD_CREDENTIALS' })
      const token = newId()
      sessions.set(sid, { person, token })
      return { token, expiresAt: clock.now() + 30 * dayMs, user: person.user }
    }),
    on(authRoutes.logout, ({ token }) => {
      for (const [sid, session] of sessions) if (session.token === token) sessions.delete(sid)
    }),
  ]
}

function mountMember(trading: FakeTrading): Mounted[] {
  const findOrder = (person: Person, isIt: (order: Order) => boolean): Order => {
    const found = person.orders.find(({ order }) => isIt(order))
    if (!found) throw new Rejected({ code: 'NOT_FOUND' })
    return trading.view(found)
  }
  return [
    on(memberRoutes.me, ({ person }) => person.user),
    on(ledgerRoutes.assets, ({ person }) => assetsOf(person)),
    on(orderRoutes.placeOrder, ({ person, key, body }) => trading.place(person, key, body)),
    on(orderRoutes.orders, ({ person, query }) => {
      const orders = person.orders.map((placed) => trading.view(placed)).filter(matching(query))
      const from = query.cursor === undefined ? 0 : Number(query.cursor)
      const to = from + query.limit
      return { items: orders.slice(from, to), nextCursor: to < orders.length ? String(to) : null }
    }),
    on(orderRoutes.orderByKey, ({ person, params }) => findOrder(person, ({ key }) => key === params.key)),
    on(orderRoutes.order, ({ person, params }) => findOrder(person, ({ id }) => id === params.id)),
  ]
}

type Received = { request: FakeRequest; url: URL; path: string; session: Session | undefined; sid: string }

/** A call with the checks of the venue: session, CSRF, key, shape. */
function run(
  { route, path, answer }: Mounted,
  { request, url, session, sid, ...received }: Received,
): FakeAnswer {
  if (route.member && !session) throw new Rejected({ code: 'UNAUTHENTICATED' })
  if (route.member && route.method !== 'GET' && request.headers.get('x-csrf-token') !== session?.token)
    throw new Rejected({ code: 'CSRF' })
  const key = request.headers.get('idempotency-key') ?? ''
  const call = {
    params: parsed(route.params, { ...path.exec(received.path)?.groups }),
    query: parsed(route.query, Object.fromEntries(url.searchParams)),
    body: parsed(route.body, request.body),
    key,
    sid,
  }
  const answerTo = (person: Person | undefined): FakeAnswer => ({
    status: route.status,
    body: answer({ ...call, person: person as Person, token: session?.token ?? '' }),
    headers: [],
  })
  if (!route.keyed || !session) return answerTo(session?.person)
  return once(session.person, key, canonicalJson(request.body), () => answerTo(session.person))
}

const matching =
  ({ tab, productId, direction, result }: RouteRequest<typeof orderRoutes.orders>['query']) =>
  (order: Order): boolean =>
    (tab === undefined || tab === 'records' || isFinal(order.status) === (tab === 'closed')) &&
    [productId ?? order.productId, direction ?? order.direction, result ?? order.status].join() ===
      [order.productId, order.direction, order.status].join()

const parsed = (schema: Route['body'], input: unknown): undefined => {
  if (!schema) return undefined
  const result = z.safeParse(schema, input)
  if (result.success) return result.data as undefined
  throw new Rejected({ code: 'VALIDATION', fields: fieldErrors(result.error.issues, input) })
}

/** The first answer of a key and body, stored as the venue does. */
function once(person: Person, key: string, request: string, run: () => FakeAnswer): FakeAnswer {
  if (!keyPattern.test(key)) throw new Rejected({ code: 'IDEMPOTENCY_KEY_REQUIRED' })
  const first = person.answers.get(key)
  if (first && first.request !== request) throw new Rejected({ code: 'IDEMPOTENCY_MISMATCH' })
  if (first) return { ...first, headers: [['idempotent-replayed', 'true']] }
  const answer = answerOf(run)
  if (isStoredAnswer(answer.status)) person.answers.set(key, { ...answer, request })
  return answer
}

function answerOf(run: () => FakeAnswer): FakeAnswer {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    const { rejection } = error
    const body = { error: { ...rejection, requestId: 'fake' } }
    return { status: errorStatus[rejection.code], body, headers: [] }
  }
}

function cookieOf(headers: Headers, name: string): string {
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/)
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

const userOf = (id: string, account: string, phone: string): User => ({
  id,
  account,
  nickname: account,
  phoneMasked: `${phone.slice(0, 3)}****${phone.slice(-4)}`,
  contactEmail: null,
  level: 1,
  creditScore: 100,
  verification: 'none',
  openingCode,
  hasWithdrawalAccount: false,
})
