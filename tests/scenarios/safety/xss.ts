import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { paths } from '../../../src/paths.ts'
import { password } from '../../support/blackBoxClient.ts'
import { bindAccountNamed, type Injected, type TargetVenue } from './injectTexts.ts'

export type XssReport = { pages: number; shownLiterally: number; violations: string[] }

/** Runs in the page: reports violations of the content security policy to `__hit`. */
const violationListener = `globalThis.__name = (f) => f
document.addEventListener('securitypolicyviolation', (event) => __hit('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** Runs in the page: lists elements that could run or fetch something that is not the app's own. */
const findForeignElements = `[...document.querySelectorAll('*')].flatMap((element) => {
  const found = [...element.attributes]
    .filter(({ name, value }) => name.startsWith('on') || name !== 'value' && /^\\s*(javascript|vbscript|data:text)/i.test(value))
    .map(({ name }) => element.tagName + ' with ' + name)
  const alien = ['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'MARQUEE', 'TEMPLATE', 'VIDEO', 'AUDIO', 'MATH'].includes(element.tagName)
  const script = element.tagName === 'SCRIPT' && !(element.src.startsWith(location.origin) && element.textContent === '')
  const away = element.tagName === 'A' && new URL(element.href || location.href).host === 'hit.invalid' && element.rel !== 'noopener noreferrer'
  return [...found, ...(alien || script ? [element.tagName] : []), ...(away ? ['a link away'] : [])]
})`

const shownText = `(document.body.innerText + ' ' + [...document.querySelectorAll('input, textarea')].map((one) => one.value).join(' ')).replace(/\\s+/g, ' ')`
const normalizeSpace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Opens every page of the app in a real browser as the member whose texts were injected, then shows the fields that have
 * one text at a time. No text may have an effect, and each must be shown literally.
 */
export async function showInjected(
  context: BrowserContext,
  venue: TargetVenue,
  injected: Injected,
  texts: readonly string[],
): Promise<XssReport> {
  const report: XssReport = { pages: 0, shownLiterally: 0, violations: [] }
  const page = await openWatchedPage(context, venue, report)
  const { service, message, news } = injected.accepted
  try {
    await signIn(page, venue, injected.account)
    await shareSession(page, venue, injected)
    for (const [i, path] of Object.values(paths).entries()) {
      const text = encodeURIComponent(texts[i % texts.length] ?? '')
      await open(page, venue, report, `${path}?id=${text}&tab=${text}&q=${text}&type=${text}&back=${text}`)
    }
    await expectShown(page, venue, report, paths.service, service)
    await expectShown(page, venue, report, paths.messages, message)
    await expectShown(page, venue, report, paths.news, news)
    for (const text of texts) await showSingleFields(page, venue, report, injected, text)
  } finally {
    await page.close()
  }
  return report
}

/** A page that records every effect a text must not have. */
async function openWatchedPage(
  context: BrowserContext,
  venue: TargetVenue,
  report: XssReport,
): Promise<Page> {
  const page = await context.newPage()
  const addViolation = (what: string): void =>
    void report.violations.push(`${what} at ${page.url().slice(0, 200)}`)
  await page.exposeFunction('__hit', (what = 'a script ran') => addViolation(what))
  await page.addInitScript({ content: violationListener })
  page.on('dialog', (dialog) => {
    addViolation(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => addViolation('a window opened'))
  page.on('pageerror', (error) => addViolation(`error ${error.message}`))
  const origin = new URL(venue.url).host
  page.on('request', (request) => {
    const { host, pathname, protocol } = new URL(request.url())
    const own = host === origin && pathname !== '/x'
    if (!own && protocol.startsWith('http')) addViolation(`request ${request.url()}`)
  })
  return page
}

async function signIn(page: Page, venue: TargetVenue, account: string): Promise<void> {
  await page.goto(`${venue.url}/#${paths.login}`)
  await page.evaluate(`localStorage.setItem('language', 'en')`)
  await page.reload()
  await page.getByLabel('Username', { exact: true }).fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/pages\/index\/index/)
}

/** Gives the browser the session that changes the address below: a new address ends all others. */
async function shareSession(page: Page, venue: TargetVenue, { member }: Injected): Promise<void> {
  const [name = '', value = ''] = member.session.cookie.split('=', 2)
  await page.context().addCookies([{ name, value, url: venue.url }])
  // The app's socket still has the other session.
  await page.reload()
}

async function open(page: Page, venue: TargetVenue, report: XssReport, path: string): Promise<void> {
  await page.goto(`${venue.url}/#${path}`)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await inspect(page, report, path)
}

async function inspect(page: Page, report: XssReport, path: string): Promise<void> {
  report.pages += 1
  const found = await page.evaluate<string[]>(findForeignElements)
  for (const what of found) report.violations.push(`${what} on ${path}`)
}

/** Opens a page and waits until it shows each text literally. */
async function expectShown(
  page: Page,
  venue: TargetVenue,
  report: XssReport,
  path: string,
  texts: readonly string[],
): Promise<void> {
  await page.goto(`${venue.url}/#${path}`)
  for (const text of texts) {
    const shown = await waitUntil(async () =>
      String(await page.evaluate(shownText)).includes(normalizeSpace(text)),
    )
    if (shown) report.shownLiterally += 1
    else report.violations.push(`${JSON.stringify(text)} is not on ${path}`)
  }
  await inspect(page, report, path)
}

/** Polls, because the page's policy forbids `waitForFunction`, which compiles code in the page. */
async function waitUntil(holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + shownWithinMs
  while (!(await holds())) {
    if (Date.now() > deadline) return false
    await pause(pollEveryMs)
  }
  return true
}

const shownWithinMs = 10_000
const pollEveryMs = 50
const nicknameMax = 24
const accountNameMax = 60
/** An email address with as much of the text as is allowed. */
export const emailOf = (text: string): string => `${text.replaceAll(/[\s@]/g, '').slice(0, 60)}@example.com`

/** Sets the fields that have one text at a time over REST and checks their pages. */
async function showSingleFields(
  page: Page,
  venue: TargetVenue,
  report: XssReport,
  { member, memberId }: Injected,
  text: string,
): Promise<void> {
  const set = async (body: object): Promise<boolean> =>
    (await member.call('PATCH', '/api/me', { body })).status === 200
  const contactEmail = emailOf(text)
  const hasEmail = await set({ contactEmail, password })
  const nickname = text.slice(0, nicknameMax)
  const named = await set({ nickname })
  // The member's page requests the current profile; the settings show the result.
  await expectShown(page, venue, report, paths.user, named ? [nickname] : [])
  if (hasEmail) await expectShown(page, venue, report, paths.settings, [contactEmail])
  const accountName = text.slice(0, accountNameMax)
  if ((await bindAccountNamed(member, accountName)) !== 201) return
  await expectShown(page, venue, report, paths.accountDetail, [accountName])
  const headers = { authorization: `Bearer ${venue.deskKey}`, 'content-type': 'application/json' }
  const unbind = `${venue.url}/desk/withdrawal-accounts/${memberId}/unbind`
  await fetch(unbind, { method: 'POST', headers, body: '{}' })
}
