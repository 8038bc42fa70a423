import { act, Suspense, useEffect } from 'react'
import * as z from 'zod/mini'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { MemberFacts } from '../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../contract/office/routes.ts'
import { callsOf } from '../../contract/office/roles.ts'
import { staffSessionRoutes, type StaffRole, type StaffSession } from '../../contract/office/staff.ts'
import { contentRoutes } from '../../contract/content.ts'
import { fieldErrors } from '../../contract/errors.ts'
import { productRoutes } from '../../contract/products.ts'
import type { Route, RouteReply, RouteRequest } from '../../contract/route.ts'
import { App, CurrentScreen } from '../../office/App.tsx'
import { useUndoKey } from '../../office/actions/useUndo.ts'
import { changeLanguage } from '../../office/i18n.ts'
import { startKeys } from '../../office/keys/commands.ts'
import { preferences } from '../../office/preferences.ts'
import { navigate, useHashPath } from '../../src/router/hashLocation.ts'
import { ToastRegion } from '../../src/ui/ToastRegion.tsx'
import { dismissToast } from '../../src/ui/toastStore.ts'
import { openScreen, staffSession } from './openScreen.tsx'
import { errorBody, type Answers, type TestAnswer } from './testClient.ts'

/** Noon of a Tuesday in the venue's zone. */
export const now = Date.UTC(2026, 10, 24, 4)
export const minutesAgo = (minutes: number): number => now - minutes * 60_000

const nouns = {
  ...officeRoutes,
  session: staffSessionRoutes,
  content: contentRoutes,
  market: productRoutes,
}
type Nouns = typeof nouns
type Named = {
  [N in keyof Nouns]: { [V in keyof Nouns[N] as `${N}.${V & string}`]: Nouns[N][V] }
}[keyof Nouns]
type Union<T> = (T extends unknown ? (part: T) => void : never) extends (all: infer A) => void ? A : never
type Calls = Union<Named>
export type CallName = keyof Calls

const refusal = Symbol('refusal')
/** What the venue or the network does instead of answering. */
type Refusal = { [refusal]: () => TestAnswer }
/** An error of the venue. */
export const refused = (status: number, code: string, more: { params?: object; fields?: object } = {}) => ({
  [refusal]: (): TestAnswer => [status, errorBody(code, more)],
})
/** The request or its answer is lost. */
export const lost: Refusal = {
  [refusal]: () => {
    throw new TypeError('Failed to fetch')
  },
}
/** A file of a call that answers no JSON. */
export const file = (type: string, text = ''): Refusal => ({
  [refusal]: () => [200, new Blob([text], { type })],
})

type Reply<R> = R extends Route ? RouteReply<R> | Refusal : never
type Request<R> = R extends Route ? RouteRequest<R> : never
/** By `noun.verb`, as the contract names the calls; those of the session, the articles and the market too. */
export type OfficeAnswers = {
  [N in CallName]?: Reply<Calls[N]> | ((request: Request<Calls[N]>) => Reply<Calls[N]>)
}
type Sent = { call: CallName; params: Record<string, string>; query: Record<string, string>; body: unknown }

const patterns = Object.entries(nouns).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, route]) => ({
    call: `${noun}.${verb}` as CallName,
    route,
    isPublic: noun === 'content' || noun === 'market',
    pattern: new RegExp(`^${route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  })),
)

const emptyList = { items: [], nextCursor: null }
/** What the limits are unless a test says: no sum of a test is near them. */
export const wideLimits = {
  currency: 'USD',
  withdrawals: {
    max: '900000.00',
    twoPersonsAbove: '500000.00',
    twoPersonsAboveInAll: '900000.00',
    inAllTimes: 10,
    restHours: 24,
  },
  deposits: [],
  fund: { minDeposit: '1.00', depositsPerDay: 5, withdrawalsPerDay: 3, fastCapPerDay: '10000.00' },
}
/** A member with nothing to be careful about. */
export const plainFacts: MemberFacts = {
  id: 'm1',
  account: 'zhang.wei',
  createdAt: minutesAgo(60 * 24 * 90),
  closedAt: null,
  verifiedName: '张伟',
  phone: '+86 13812345678',
  assets: {
    total: '5000.00',
    available: '4200.00',
    held: '800.00',
    openStakes: '0.00',
    fund: '0.00',
    accountPnl: '0.00',
    todayPnl: '0.00',
    version: 1,
  },
  deposited: { count: 3, amount: '6000.00' },
  awaiting: { count: 0, amount: '0.00' },
  withdrawn: { count: 1, amount: '200.00' },
  owed: { count: 1, amount: '800.00' },
  lastPaidAt: minutesAgo(60 * 24 * 20),
  boundAt: minutesAgo(60 * 24 * 80),
  changes: [],
  frozen: null,
  proposals: [],
  restsUntil: null,
  excludedUntil: null,
  sameCard: [],
  sameDevice: [],
  latestNote: null,
  noteCount: 0,
  writesIn: null,
  verification: 'verified',
  waiting: [],
  recent: [],
}
const usual: OfficeAnswers = {
  'members.facts': plainFacts,
  'members.notes': emptyList,
  'limits.show': wideLimits,
  'queues.list': { at: now, items: [] },
  'site.show': { status: 'up', opensAt: null },
  'queues.show': emptyList,
  'uploads.show': file('image/png', 'picture'),
  'queues.next': { item: null },
  'queues.decided': { ...emptyList, total: 0 },
  'search.find': { items: [] },
}

/** What is drawn is in view at once, unless a test says how much of it. */
class WholeInView {
  readonly #tell: IntersectionObserverCallback
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell
  }
  observe(): void {
    this.#tell([viewOf(400)], this as unknown as IntersectionObserver)
  }
  disconnect(): void {}
}
/** A picture 400 px high of which some is in view, in a window of 700 px. */
export const viewOf = (height: number): IntersectionObserverEntry => {
  const sides = (px: number): DOMRectReadOnly => ({ top: 0, bottom: px, height: px }) as DOMRectReadOnly
  return {
    isIntersecting: height > 0,
    intersectionRect: sides(height),
    boundingClientRect: sides(400),
    rootBounds: sides(700),
  } as IntersectionObserverEntry
}

const problems: unknown[] = []

beforeEach(() => {
  vi.useFakeTimers({
    now,
    toFake: [
      'Date',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'requestAnimationFrame',
      'cancelAnimationFrame',
    ],
  })
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4, height: 3, close: () => undefined }))
  vi.stubGlobal('IntersectionObserver', WholeInView)
  vi.spyOn(console, 'error').mockImplementation((...args) => void problems.push(args))
  // After the clean-up: what fails before it would leave a page to the next test.
  return () => expect(problems.splice(0)).toEqual([])
})
afterEach(async () => {
  await act(async () => {
    dismissToast()
    Object.assign(preferences, { singleKeys: true, sound: false, theme: 'system' })
    await changeLanguage('en')
    sessionStorage.clear()
  })
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/**
 * The venue as the contract has it: an answer of another shape fails the test, a call that the role may not make is
 * refused with 403, and a body that the schema does not take with 400.
 */
class Desk extends Map<string, TestAnswer> {
  readonly sent: Sent[] = []
  readonly answers: OfficeAnswers
  private readonly session: StaffSession
  constructor(session: StaffSession, answers: OfficeAnswers) {
    super()
    this.session = session
    this.answers = answers
  }

  override get(address: string): never {
    return ((body: unknown) => this.answer(address, body)) as never
  }

  private answer(address: string, body: unknown): TestAnswer {
    const [, method = '', whole = ''] = /^(\w+) (.*)$/.exec(address) ?? []
    const [path = '', search] = whole.split('?')
    const isPublic = path.startsWith('/api/')
    const found = patterns.find(
      (one) =>
        one.isPublic === isPublic &&
        one.route.method === method &&
        one.pattern.test(path.replace(/^\/api/, '')),
    )
    if (found === undefined) return this.fail(`${address} is no call of the contract`)
    const { call, route, pattern } = found
    const params = Object.fromEntries(
      Object.entries(pattern.exec(path.replace(/^\/api/, ''))?.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ]),
    )
    const query = Object.fromEntries(new URLSearchParams(search))
    this.sent.push({ call, params, query, body })
    const isOffice = Object.hasOwn(officeRoutes, call.split('.')[0] ?? '')
    if (isOffice && !this.session.calls.includes(call)) return [403, errorBody('FORBIDDEN')]
    const request: Record<string, unknown> = {}
    for (const [name, value] of Object.entries({ params, query, body })) {
      const schema = route[name as 'body']
      if (schema === undefined) continue
      const parsed = z.safeParse(schema, value)
      if (!parsed.success)
        return [400, errorBody('VALIDATION', { fields: fieldErrors(parsed.error.issues, value) })]
      request[name] = parsed.data
    }
    return this.reply(call, route, request)
  }

  private reply(call: CallName, route: Route, request: object): TestAnswer {
    const known = { ...usual, 'session.show': this.session, ...this.answers } as Record<string, unknown>
    if (!(call in known)) return this.fail(`${call} has no answer`)
    const given = known[call]
    const reply: unknown = typeof given === 'function' ? given(request) : given
    if (typeof reply === 'object' && reply !== null && refusal in reply) return (reply as Refusal)[refusal]()
    if (route.answer === null) return [204, null]
    const parsed = z.safeParse(route.answer, reply)
    return parsed.success ? [route.status, reply] : this.fail(`${call}: ${z.prettifyError(parsed.error)}`)
  }

  private fail(problem: string): TestAnswer {
    problems.push(problem)
    return [500, errorBody('INTERNAL')]
  }
}

type OfficeOptions = {
  role?: StaffRole
  /** Calls of the role that this person may not make. */
  without?: readonly CallName[]
  session?: Partial<StaffSession>
  /** Whether somebody is logged in. */
  isLoggedIn?: boolean
  /** With the side bar and the login, which most pages' tests need not render each time. */
  isWhole?: boolean
}

/** The screen of the address, with the keys and notices that the shell gives it. */
function Bare() {
  const [path] = useHashPath()
  useEffect(() => startKeys(() => preferences.singleKeys), [])
  useUndoKey()
  return (
    <Suspense>
      <CurrentScreen path={path} />
      <ToastRegion label="Notices" />
    </Suspense>
  )
}

/** Opens the office at an address as a member of staff named `lin`, and waits until what the venue answers is shown. */
export async function openOffice(
  address: string,
  answers: OfficeAnswers = {},
  { role = 'finance', without = [], session = {}, isLoggedIn = true, isWhole = false }: OfficeOptions = {},
) {
  const calls = callsOf(role).filter((call) => !without.includes(call))
  const whole = staffSession(role, { calls, ...session })
  const desk = new Desk(
    whole,
    isLoggedIn ? answers : { 'session.show': refused(401, 'UNAUTHENTICATED'), ...answers },
  )
  await openScreen(isWhole || !isLoggedIn ? <App /> : <Bare />, {
    hash: `#${address}`,
    as: isLoggedIn ? whole : null,
    answers: desk as unknown as Answers,
  })
  await settle()
  return {
    /** What the venue answers; a test may change it. */
    answers: desk.answers,
    /** What was sent to a call, in order. */
    sent: (call: CallName) =>
      desk.sent
        .filter((one) => one.call === call)
        .map(({ params, query, body }) => ({ params, query, body })),
    /** The calls so far that change something, with what they were sent. */
    acts: () =>
      desk.sent
        .filter(({ call }) => patterns.find((one) => one.call === call)?.route.method !== 'GET')
        .map(({ call, params, body }) => [
          call,
          ...Object.values(params),
          ...(body === undefined ? [] : [body]),
        ]),
  }
}

/** Leads to another address, so that the screen of the one before is gone. */
export async function goTo(to: string): Promise<void> {
  await act(async () => navigate(to))
  await settle()
}

/** Waits until answers, chunks and timers that are due are on the screen; `ms` later. */
export async function settle(ms = 0): Promise<void> {
  if (ms > 0) await act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  for (let before = ''; before !== document.body.innerHTML;) {
    before = document.body.innerHTML
    await act(async () => {
      await vi.dynamicImportSettled()
      await vi.advanceTimersByTimeAsync(20)
      await new Promise((resolve) => setImmediate(resolve))
    })
  }
}

/** What assistive technology reaches: not what is behind a dialog. */
const visible = <T extends Element>(selector: string): T[] =>
  [...document.querySelectorAll<T>(selector)].filter(
    (node) => node.closest('[aria-hidden="true"], [inert], [hidden]') === null,
  )

/** The text of a node without the caps of keys and icons. */
function textOf(node: Element): string {
  const copy = node.cloneNode(true) as Element
  for (const part of copy.querySelectorAll('[aria-hidden="true"], svg')) part.remove()
  return copy.textContent.replaceAll(/\s+/g, ' ').trim()
}
const nameOf = (node: Element): string => node.getAttribute('aria-label') ?? textOf(node)

function named(selector: string, name: string): HTMLElement {
  const nodes = visible<HTMLElement>(selector)
  const found = nodes.find((node) => nameOf(node) === name)
  if (found === undefined) throw new Error(`no ${name} among: ${nodes.map(nameOf).join(' | ')}`)
  return found
}

/** The names of the buttons, tabs and options on screen. */
export const buttons = (): string[] => visible('button, [role=option]').map(nameOf)
/** The texts of the options that a field offers. */
export const options = (): string[] => visible('[role=option]').map(nameOf)
export const links = (): string[] => visible('nav a[href], main a[href]').map(nameOf)
/** The control with a label. */
export function field(label: string): HTMLInputElement {
  const labelled = named('label, [aria-label]:is(input, select, textarea)', label)
  const control = (labelled as HTMLLabelElement).control ?? labelled.querySelector('input') ?? labelled
  return (document.getElementById(labelled.getAttribute('for') ?? '') ?? control) as HTMLInputElement
}
/** The cells of each row of a table, without the empty ones. */
export const rows = (label: string): string[] =>
  [...(visible(`[role=grid][aria-label="${label}"]`)[0]?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.children]
      .map(textOf)
      .filter((text) => text !== '')
      .join(' | '),
  )
/** Labels with their values. */
export const facts = (): Record<string, string> =>
  Object.fromEntries(
    visible('dl > div').map(({ children: [label, value] }) => [textOf(label!), textOf(value!)]),
  )
export const alerts = (): string[] =>
  visible('[role=alert]')
    .map(textOf)
    .filter((text) => text !== '')
export const toasts = (): string[] => [...document.querySelectorAll('[data-toasts] p')].map(textOf)
export const text = (selector = 'body'): string => visible(selector).map(textOf).join('\n')
/** The title of the open dialog. */
export const dialog = (): string | null => document.querySelector('[role=dialog] h2')?.textContent ?? null
export const address = (): string => location.hash.slice(1)

export async function click(name: string): Promise<void> {
  await act(async () => named('button, a[href], [role=option], [role=switch], label', name).click())
  await settle()
}

/** Opens a row of a table by a click. */
export async function openRow(label: string, at = 0): Promise<void> {
  const table = visible(`[role=grid][aria-label="${label}"]`)[0]
  await act(async () => table?.querySelectorAll<HTMLElement>('tbody tr')[at]?.click())
  await settle()
}

/** Types or chooses a value; of a choice by its text. */
export async function enter(label: string, value: string): Promise<void> {
  const control = field(label) as HTMLElement as HTMLInputElement | HTMLSelectElement
  const chosen =
    control instanceof HTMLSelectElement
      ? ([...control.options].find((option) => option.text === value)?.value ?? value)
      : value
  await act(async () => {
    control.focus()
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, chosen)
    control.dispatchEvent(
      new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
    )
  })
  await settle()
}

/** Presses keys one after the other where the focus is; Enter does what a browser does with it. */
export async function press(...keys: string[]): Promise<void> {
  for (const pressed of keys) {
    const ctrlKey = pressed.startsWith('Ctrl+')
    const key = pressed.replace('Ctrl+', '')
    const target = document.activeElement ?? document.body
    await act(async () => {
      const event = new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true })
      if (!target.dispatchEvent(event) || key !== 'Enter') return
      if (target instanceof HTMLButtonElement) target.click()
      else if (target instanceof HTMLInputElement) target.form?.requestSubmit()
    })
    await settle()
  }
}
