/**
 * Runs before the first paint: sets the theme, so that a dark page never starts white, shows what is prerendered for the
 * page, if anything, requests its first data, writes their figures into its skeleton, and then requests the app. src/state/theme.ts and
 * src/text/i18n.ts take over from here.
 */
import type { Language } from '../../contract/constants.ts'
import { readEarly, requestEarly, requestEarlyToo } from './earlyAnswers.ts'
import { startLanguage } from '../text/chosenLanguage.ts'
import { isTabRoot, paths, welcomePaths } from '../paths.ts'
import { delay } from '../lib/delay.ts'
import { parseHash } from '../router/hashLocation.ts'
import { storedField } from '../state/storage.ts'
import { chosenTimeframe, firstTimeframe } from './firstBars.ts'
import { showFirstFigures } from './firstFigures.ts'
import type { StartFiles } from './startFiles.ts'

/** Defined by the build. */
declare const __START_FILES__: StartFiles
const startFiles = __START_FILES__

const root = document.documentElement

function setTheme(): void {
  const theme = storedField('preferences', 'theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset['theme'] = isDark ? 'dark' : 'light'
}

type Visit = { path: string; id: string; language: Language }

function startVisit(): void {
  const { path: address, search } = parseHash(location.hash)
  const token = storedField('session', 'token')
  const isMember = typeof token === 'string' && token !== ''
  const language = startLanguage()
  const path = isMember && welcomePaths.includes(address) ? paths.home : address
  const visit = { path, id: new URLSearchParams(search).get('id') ?? '', language }
  // Without cookies, the first request after the member chose a language does not carry it.
  const prerendered = language === root.lang ? prerenderedOf(path, isMember) : 'none'
  root.dataset['start'] = prerendered
  if (path === paths.products) root.dataset['startGround'] = 'market'
  // What is prerendered belongs to this page.
  addEventListener('hashchange', () => (root.dataset['start'] = 'none'), { once: true })
  void start(visit, isMember ? token : null, prerendered)
}

async function start(visit: Visit, token: string | null, prerendered: Prerendered): Promise<void> {
  const answers = token === null ? startFiles.guestAnswers : startFiles.answers
  requestEarly(token, firstAnswersOf(visit, answers))
  const first = firstAnswer(visit)
  const figures = firstFigures(visit, first)
  const isShown = prerendered !== 'none'
  // The app's code competes with the style sheet for the connection, so it is requested once the page is painted.
  if (isShown && !document.hidden) await Promise.race([firstPaint(), hidden()])
  void requestApp(visit).then(() => requestLater(visit, first))
  // Without the figures the app starts all the same.
  if (isShown) await Promise.race([figures, delay(figuresFirstMs)])
  await startApp()
}

/** The app starts at most this long after its request, ms, so that the figures are painted first if all is cached. */
const figuresFirstMs = 100

/** Unlike `afterPaint` without a limit: however late the style sheet comes, what runs then does not delay the first frame. */
const firstPaint = async (): Promise<void> => {
  await nextFrame()
  // The frame before this one is on the screen now.
  await nextFrame()
}
/** A tab that is hidden paints no frame. */
const hidden = (): Promise<unknown> =>
  new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame)

type Prerendered = 'landing' | 'tabs' | 'home' | 'product' | 'none'

function prerenderedOf(path: string, isMember: boolean): Prerendered {
  if (path === paths.product) return 'product'
  if (!isMember) return welcomePaths.includes(path) ? 'landing' : 'none'
  if (path === paths.home) return 'home'
  return isTabRoot(path) ? 'tabs' : 'none'
}

/** Resolves once the body is there: from a cache the app would run before it, and find no place to render. */
const documentParsed = (): Promise<unknown> =>
  document.readyState === 'loading'
    ? new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
    : Promise.resolve()

/** What the page shows first; a page that needs an id and has none shows nothing. */
function firstAnswersOf({ path, id }: Visit, answers: StartFiles['answers']): string[] {
  const addresses = answers[path] ?? []
  if (id === '' && addresses.some((address) => address.includes(':id'))) return []
  return addresses.map((address) => withId(address, id))
}

const withId = (address: string, id: string): string => address.replace(':id', encodeURIComponent(id))

/** The answer with the figures of the page's skeleton; undefined if there is none. */
async function firstAnswer({ path, id }: Visit): Promise<unknown> {
  const address = startFiles.figureAnswers[path]
  return address === undefined ? undefined : readEarly(withId(address, id)).catch(() => undefined)
}

/** Resolves once the figures of the page's skeleton are painted, or cannot be; at once for a page without. */
async function firstFigures({ path, language }: Visit, first: Promise<unknown>): Promise<void> {
  const answer = await first
  if (typeof answer !== 'object' || answer === null) return
  await documentParsed()
  showFirstFigures(path, language, answer as Record<string, unknown>)
  await firstPaint()
}

/** Fetches everything that the page needs at once, not one file after the other. Resolves when it is there. */
async function requestApp({ path, language }: Visit): Promise<void> {
  const { entry, pages, packs } = startFiles
  const files = [...entry, ...(pages[path] ?? []), ...(packs[language] ?? [])]
  void firstPaint().then(() => loadLanguageData(language))
  await Promise.all(files.map(preload))
}

/** Resolves once the file has arrived, or cannot be loaded. */
const preload = (href: string): Promise<unknown> =>
  new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      crossOrigin: '',
      onload: resolve,
      onerror: resolve,
      href,
    })
    document.head.append(link)
  })

/** What the page shows after its first paint: it arrives while the app starts, and takes nothing from the app's own files. */
async function requestLater({ path, id }: Visit, first: Promise<unknown>): Promise<void> {
  for (const href of startFiles.later[path] ?? []) void preload(href)
  if (path !== paths.product || id === '') return
  const timeframe = chosenTimeframe() ?? firstTimeframe(id, await first)
  if (timeframe !== undefined) requestEarlyToo(withId(startFiles.barsAnswer, id).replace(':tf', timeframe))
}

async function startApp(): Promise<void> {
  const [app = ''] = startFiles.entry
  await documentParsed()
  await import(/* @vite-ignore */ app).catch(showFailure)
}

/** A page's first Intl formatter takes as long as a frame, the others hardly any time: now nothing waits for it. */
const loadLanguageData = (language: string): string => new Intl.DateTimeFormat(language).format()

/** A file is missing or the connection has failed: the app's own texts could not be loaded either. */
function showFailure(): void {
  const notice = document.querySelector<HTMLElement>('#start-failed')
  if (notice === null) return
  notice.hidden = false
  // Its link leads to the venue's first page; a reload stays on this one.
  notice.querySelector('a')?.addEventListener('click', (event) => {
    event.preventDefault()
    location.reload()
  })
}

setTheme()
startVisit()
