/**
 * Runs before the first paint: sets the theme, so that a dark page never starts white, shows what is prerendered for the
 * page, if anything, requests its first data, writes their figures into its frame, and requests the app. src/theme.ts and
 * src/i18n.ts take over from here.
 */
import type { Language } from '../../contract/constants.ts'
import { readEarly, requestEarly } from '../api/earlyAnswers.ts'
import { startLanguage } from '../chosenLanguage.ts'
import { isTabRoot, paths, welcomePaths } from '../paths.ts'
import { delay } from '../delay.ts'
import { parseHash } from '../router/hashLocation.ts'
import { storedField } from '../state/storage.ts'
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
  // The venue does not know the language on the first visit after the member chose it without cookies.
  const prerendered = language === root.lang ? prerenderedOf(path, isMember) : 'none'
  root.dataset['start'] = prerendered
  if (path === paths.products) root.dataset['startGround'] = 'market'
  // What is prerendered belongs to this page.
  addEventListener('hashchange', () => (root.dataset['start'] = 'none'), { once: true })
  const start = async (): Promise<void> => {
    if (isMember) requestEarly(token, firstAnswersOf(visit))
    // Without the figures the app starts all the same.
    if (isMember && prerendered !== 'none')
      await Promise.race([firstFigures(visit).catch(() => undefined), delay(figuresFirstMs)])
    await startApp(visit)
  }
  // The app's code is only loaded after the landing page is painted, so that it does not compete for the connection.
  if (prerendered !== 'landing' || document.hidden) void start()
  else afterFirstPaint(() => void start())
}

/** The app's code waits at most this long for the figures, ms, so that they do not share the connection. */
const figuresFirstMs = 100

/** Unlike `afterPaint` without a limit: however late the style sheet comes, what runs then does not delay the first frame. */
const afterFirstPaint = (run: () => void): void => void requestAnimationFrame(() => setTimeout(run))

function prerenderedOf(path: string, isMember: boolean): 'landing' | 'tabs' | 'home' | 'product' | 'none' {
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
function firstAnswersOf({ path, id }: Visit): string[] {
  const addresses = startFiles.answers[path] ?? []
  if (id === '' && addresses.some((address) => address.includes(':id'))) return []
  return addresses.map((address) => withId(address, id))
}

const withId = (address: string, id: string): string => address.replace(':id', encodeURIComponent(id))

/** Resolves once the figures of the page's frame are painted, or cannot be; at once for a page without. */
async function firstFigures({ path, id, language }: Visit): Promise<void> {
  const address = startFiles.figureAnswers[path]
  if (address === undefined) return
  const answer = await readEarly(withId(address, id))
  if (typeof answer !== 'object' || answer === null) return
  await documentParsed()
  showFirstFigures(path, language, answer as Record<string, unknown>)
  await new Promise<void>(afterFirstPaint)
}

/** Fetches everything that the page needs at once, not one file after the other, and runs the app. */
async function startApp({ path, language }: Visit): Promise<void> {
  const { entry, pages, packs } = startFiles
  const [app = ''] = entry
  for (const href of [...entry, ...(pages[path] ?? []), ...(packs[language] ?? [])])
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    )
  afterFirstPaint(() => void loadLanguageData(language))
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
