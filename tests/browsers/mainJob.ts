import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { newMember, type Member } from '../e2e/member.ts'
import { call, click, fill, find, until, type Tab } from './tab.ts'

const before = (text: string, mark: string): string => text.slice(0, text.indexOf(mark))

/**
 * Registers, logs in, sees prices move, places an order, sees it settle and reads its proof, by clicks and keys.
 * Returns what went wrong in the page meanwhile.
 */
export async function mainJob(tab: Tab, origin: string): Promise<string[]> {
  const { welcome, register, login, ticket, proof } = en
  const member = newMember()
  await openIn(tab, origin, 'en')
  // The prices take less space than their placeholders in a venue with few products.
  await until(tab, 'prices', complete)
  await click(tab, { in: 'input', text: before(welcome.riskAccept, '<'), starts: true })
  await click(tab, { text: welcome.register })
  await fill(tab, register.account, member.account)
  await fill(tab, register.phone, member.phone)
  await fill(tab, register.openingCode, 'UPTICK')
  await click(tab, { text: register.next })
  await fill(tab, register.password, member.password)
  await fill(tab, register.confirmPassword, member.password)
  await fill(tab, register.transactionPassword, member.transactionPassword)
  await fill(tab, register.confirmTransactionPassword, member.transactionPassword)
  await click(tab, { text: register.submit })
  await find(tab, { in: 'button', text: login.submit })
  await logInByForm(tab, member)

  await follow(tab, `#${paths.product}?id=BTCUSDT`)
  await find(tab, { in: 'h1', text: 'BTC/USDT' })
  const shown = await call(tab, mainText)
  await until(tab, 'new price', changed, shown)
  await click(tab, { in: 'label', text: ticket.seconds.replace('{{n}}', '5'), starts: true })
  await click(tab, { in: 'main button', text: ticket.buyUp, starts: true })
  // An order that a busy machine sends too late is confirmed again, as its sheet asks for.
  do await click(tab, { in: '[role=dialog] button', text: ticket.buyUp, starts: true })
  while ((await until(tab, 'answer to the order', sheetEnd, ticket.expired)) === 'expired')

  await follow(tab, `#${paths.orders}?tab=closed`)
  await click(tab, { in: 'main a[href*="id="]', text: 'BTC/USDT', starts: true })
  await find(tab, { in: 'h2', text: proof.title })
  await find(tab, { in: 'main *', text: before(proof.checkedAt, '{{'), starts: true })
  return errorsOf(tab)
}

/** Opens the app in a language with nothing but `stored` on the device, and notes what goes wrong in the page from then on. */
export async function openIn(tab: Tab, origin: string, language: string, stored: object = {}): Promise<void> {
  // A page without the app, which would store its state again.
  await tab.goto(`${origin}/oldBrowser.html`)
  const items = {
    language,
    ...Object.fromEntries(Object.entries(stored).map(([key, value]) => [key, JSON.stringify(value)])),
  }
  await call(tab, store, items)
  await tab.goto(`${origin}/?${language}#/`)
  await call(tab, noteErrors)
}

export async function logInByForm(tab: Tab, { account, password }: Member): Promise<void> {
  await fill(tab, en.login.account, account)
  await fill(tab, en.login.password, password)
  await click(tab, { in: 'button', text: en.login.submit })
  await find(tab, { in: 'main *', text: '10,000.00' })
}

/** Follows a link of the app, without loading the page again. */
export const follow = (tab: Tab, href: string): Promise<void> =>
  call(tab, (to: string) => void (location.hash = to), href)

/** What went wrong in the page: errors, rejected promises, and what its policy refused. */
export const errorsOf = (tab: Tab): Promise<string[]> =>
  call(tab, () => (globalThis as { noted?: string[] }).noted ?? ['the page was loaded again'])

/* What runs in the page. */

function store(items: Record<string, string>): void {
  localStorage.clear()
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
}

function noteErrors(): void {
  const noted: string[] = []
  Object.assign(globalThis, { noted })
  addEventListener('error', ({ message }) => {
    // Not an error: while the window is resized, an observer's last sizes come with the next frame.
    if (!message.startsWith('ResizeObserver loop')) noted.push(`error: ${message}`)
  })
  addEventListener('unhandledrejection', ({ reason }) => noted.push(`rejected: ${String(reason)}`))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    noted.push(`policy: ${violatedDirective} ${blockedURI}`),
  )
}

const mainText = (): string => document.querySelector('main')?.innerText ?? ''

const changed = (before: string): true | null =>
  (document.querySelector('main')?.innerText ?? '') === before ? null : true

const complete = (): true | null =>
  document.querySelector('[data-prerendered], [data-skeleton]') === null ? true : null

/** How a sheet ended: it is gone, or says that its order came too late. */
function sheetEnd(expired: string): 'gone' | 'expired' | null {
  const sheet = document.querySelector('[role=dialog]')
  if (sheet === null) return 'gone'
  return sheet.textContent?.includes(expired) === true ? 'expired' : null
}
